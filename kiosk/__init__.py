"""What people start: the command line, the HTTP server, the web page, the guided dialogues."""
