// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.channels.sockets;

import io.github.rdma4j.channels.Team;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/** The end of a connection: one side closes, the other reads to the end. */
final class Finishing {
    private static final int LARGE = 1 << 16;
    private static final long SETTLED_MILLIS = 30;

    private final Finish finish;
    private final End closing;
    private final End following;
    private final Team team;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final AtomicLong closedAt = new AtomicLong(System.nanoTime());
    private volatile String closer = "";
    private volatile String follower = "";

    Finishing(Finish finish, End closing, End following, Team team) {
        this.finish = finish;
        this.closing = closing;
        this.following = following;
        this.team = team;
    }

    void start() throws IOException {
        closing.socket.setSoTimeout(0);
        following.socket.setSoTimeout(0);
        if (finish.linger() >= 0) {
            closing.socket.setSoLinger(true, finish.linger());
        }
        team.start("closer", this::close);
        team.start("follower", this::follow);
    }

    String closer() {
        return closer;
    }

    String follower() {
        return follower;
    }

    /** When the socket was closed. */
    long closedAt() {
        return closedAt.get();
    }

    private void close() throws Exception {
        OutputStream out = closing.socket.getOutputStream();
        closing.write(out, finish.tail());
        closer = switch (finish.how()) {
            case WHILE_READING -> whileReading();
            case WHILE_WRITING -> whileWriting();
            case LAST -> last();
            case STREAM -> {
                out.close();
                yield "closed";
            }
            default -> {
                closing.socket.close();
                yield "closed";
            }
        };
        closedAt.set(System.nanoTime());
        closed.countDown();
        team.step();
    }

    private String last() throws IOException {
        closing.socket.shutdownOutput();
        InputStream in = closing.socket.getInputStream();
        String said = closing.readToEnd(team);
        closing.socket.close();
        return said + ", and after the close " + in.read();
    }

    private String whileReading() throws Exception {
        closing.socket.setSoTimeout(finish.readMillis() == 0 ? 0 : Integer.MAX_VALUE - finish.readMillis());
        InputStream in = closing.socket.getInputStream();
        return endedInside(() -> {
            int count = in.read();
            throw new AssertionError("read returned " + count);
        });
    }

    private String whileWriting() throws Exception {
        OutputStream out = closing.socket.getOutputStream();
        return endedInside(() -> {
            while (true) {
                closing.write(out, LARGE);
                team.step();
            }
        });
    }

    /** An interrupt of a platform thread changes nothing. */
    private String endedInside(Team.Task call) throws Exception {
        String[] said = {"returned"};
        Thread inside = team.start("closer's other thread", () -> {
            try {
                call.run();
            } catch (IOException e) {
                said[0] = Team.text(e) + ", interrupted " + Thread.interrupted();
            }
        });
        Thread.sleep(SETTLED_MILLIS);
        inside.interrupt();
        Thread.sleep(1);
        closing.socket.close();
        inside.join();
        return said[0];
    }

    private void follow() throws Exception {
        if (finish.how() == Finish.How.RESET
                || finish.how() == Finish.How.EARLY
                || finish.how() == Finish.How.WHILE_WRITING) {
            closed.await();
        }
        Thread.sleep(finish.lateMillis());
        if (finish.how() == Finish.How.EARLY) {
            writeToNobody();
        }
        String said = following.readToEnd(team);
        follower = finish.how() == Finish.How.WHILE_WRITING ? said.replaceAll("\\d+ bytes", "N bytes") : said;
        following.socket.close();
    }

    /** TCP takes what the peer refuses later; over RDMA the end is known at once. */
    private void writeToNobody() throws IOException {
        try {
            following.write(following.socket.getOutputStream(), 1);
        } catch (IOException e) {
            if (!"Broken pipe".equals(e.getMessage())) {
                throw e;
            }
        }
    }
}
