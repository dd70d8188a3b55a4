// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import io.github.rdma4j.testbed.exec.ExecClient;
import io.github.rdma4j.testbed.guest.GuestSession;
import io.github.rdma4j.testbed.guest.NodeGroup;
import io.github.rdma4j.testbed.host.Daemon;
import io.github.rdma4j.testbed.machine.GuestFailureException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;

/** The guest of a node, its exec server, and the thread that runs the guest. */
final class NodeRuntime {
    final int number;
    final GuestSession session;
    final ExecClient client = new ExecClient();
    final AtomicInteger freezes = new AtomicInteger();
    final NodeGroup group;

    /** Whether the testbed has been closed. */
    volatile boolean closed;

    private final Complaints complaints = new Complaints();
    private final Thread thread;

    NodeRuntime(NodeGroup group, GuestSession session, int number) {
        this.group = group;
        this.session = session;
        this.number = number;
        thread = Daemon.start("node-" + number, this::run);
    }

    private void run() {
        try {
            GuestSession.Streams streams = new GuestSession.Streams(client.toServer(), client.fromServer(), complaints);
            GuestSession.Result result = group.run(session, streams);
            String end = "node " + number + ": the exec server ended with status " + result.status() + complaints;
            client.fail(() -> new TestbedFailureException(end));
        } catch (GuestFailureException e) {
            client.fail(() -> TestbedFailureException.of("node " + number + ": ", e));
        } catch (InterruptedException e) {
            client.fail(() -> new TestbedFailureException("node " + number + " was interrupted"));
        }
    }

    /** Ends every wait for this node and asks the node to end. */
    void quit() {
        closed = true;
        client.quit();
        client.fail(() -> new TestbedFailureException("the testbed has been closed"));
    }

    /** Waits for the node's end, for at most this time. */
    void join(long millis) throws InterruptedException {
        if (freezes.get() == 0) {
            thread.join(Math.max(millis, 1));
        }
    }

    /** The standard error of the server: the reason why it gave up. */
    private static final class Complaints extends OutputStream {
        private static final int MOST = 10_000;
        private final ByteArrayOutputStream text = new ByteArrayOutputStream();

        @Override
        public synchronized void write(int b) throws IOException {
            if (text.size() < MOST) {
                text.write(b);
            }
        }

        @Override
        public synchronized String toString() {
            return text.size() == 0
                    ? ""
                    : ": " + text.toString(StandardCharsets.UTF_8).strip();
        }
    }
}
