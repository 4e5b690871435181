"""`hupai serve`: the HTTP interface, the pages, and what guards them (docs/http.md).

`app.create_app` puts it together; each `*_routes` module holds requests and answers only, and what
they do lies in the module of the same name without the suffix, or below kiosk. `guard` stands
before everything. Nothing is loaded before the server is started.
"""
