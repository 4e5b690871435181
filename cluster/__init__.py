"""When one machine is not enough: the networks, and big jobs, on a Ray cluster.

`service` deploys the detector and the reader with Ray Serve, `networks` are what a replica runs and
how it is reached, `engine` spreads numbered work over the cluster, `local` starts Ray on this
machine, `capacity` reckons what many tables need. Only this package knows Ray, and it is imported
only by the verbs that ask for it: `pip install 'hupai[cluster]'`.
"""
