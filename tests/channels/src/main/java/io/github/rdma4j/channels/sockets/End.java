// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.channels.sockets;

import io.github.rdma4j.channels.Numbered;
import io.github.rdma4j.channels.Team;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;

/** An end of a connection: what it writes and reads next. */
final class End {
    final Socket socket;
    private final Numbered outgoing;
    private final Numbered incoming;
    private long written;
    private long read;

    End(Socket socket, Numbered outgoing, Numbered incoming) {
        this.socket = socket;
        this.outgoing = outgoing;
        this.incoming = incoming;
    }

    /** Writes so many bytes as the step says. */
    void write(int count, Step step, Team team) throws IOException, InterruptedException {
        OutputStream out = socket.getOutputStream();
        for (int left = count; left > 0; ) {
            int now = Math.min(left, step.chunk());
            Thread.sleep(step.lateMillis());
            write(out, now);
            left -= now;
            team.step();
        }
    }

    /** Writes so many bytes in one call. */
    void write(OutputStream out, int count) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(count + 1);
        outgoing.fill(bytes.limit(count), written);
        written += count;
        if (count == 1) {
            out.write(bytes.get(0));
        } else {
            out.write(bytes.array(), 0, count);
        }
    }

    /** Reads and checks so many bytes as the step says, again and again where its limit ends a read. */
    void read(int count, Step step, Team team) throws IOException {
        InputStream in = socket.getInputStream();
        byte[] room = new byte[step.chunk() + 1];
        for (int left = count; left > 0; ) {
            int wanted = Math.min(left, step.chunk());
            if (step.asks()) {
                // What is there can be read, and no more of it is asked for.
                wanted = Math.max(1, Math.min(wanted, in.available()));
            }
            try {
                int got = in.read(room, 1, wanted);
                if (got < 1 || got > wanted) {
                    throw new AssertionError("read " + got + " of " + wanted + " bytes");
                }
                check(room, got);
                left -= got;
            } catch (SocketTimeoutException e) {
                if (step.readMillis() == 0) {
                    throw e;
                }
            }
            team.step();
        }
    }

    private void check(byte[] room, int count) {
        ByteBuffer bytes = ByteBuffer.wrap(room, 1, count);
        bytes.position(1 + count);
        int right = incoming.right(bytes, 1, read);
        if (right < count) {
            throw new AssertionError("a wrong byte at " + (read + right));
        }
        read += right;
    }

    /** Reads and checks to the end, and tells how much came and what the end was, twice. */
    String readToEnd(Team team) throws IOException {
        long before = read;
        InputStream in = socket.getInputStream();
        byte[] room = new byte[9000];
        String end = "";
        while (end.isEmpty()) {
            try {
                int got = in.read(room, 1, room.length - 1);
                if (got > 0) {
                    check(room, got);
                } else {
                    end = "the end " + in.read();
                }
            } catch (SocketTimeoutException e) {
                throw e;
            } catch (IOException e) {
                end = Team.text(e);
            }
            team.step();
        }
        return (read - before) + " bytes, then " + end;
    }
}
