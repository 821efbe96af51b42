"""Opens connections that send a request byte by byte, until they are killed: `slow.py URL CONNECTIONS`."""

import socket
import sys
import time
from urllib.parse import urlsplit

address = urlsplit(sys.argv[1])
REQUEST = b"GET /health HTTP/1.1\r\nHost: x\r\nX-Slow: " + b"x" * 10_000


def opened():
    connection = socket.create_connection((address.hostname, address.port))
    connection.setblocking(False)
    return [connection, 0]


connections = [opened() for _ in range(int(sys.argv[2]))]
print(len(connections), flush=True)
while True:
    for entry in connections:
        connection, sent = entry
        try:
            connection.send(REQUEST[sent : sent + 1])
            entry[1] += 1
        except OSError:
            # The server closed the connection: open it again.
            connection.close()
            try:
                entry[:] = opened()
            except OSError:
                sys.exit(0)
    time.sleep(1)
