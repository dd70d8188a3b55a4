// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak.host;

import io.github.rdma4j.cm.BlockingCmId;
import io.github.rdma4j.cm.CmTimeoutException;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.kernel.RdmaException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The echo server with blocking ids. It listens on the device's address, so it must listen again after a device
 * removal.
 */
final class BlockingEchoService implements HostMain.Service {
    private static final Duration IDLE = Duration.ofSeconds(10);
    private static final int BACKLOG = 16;

    private final InetSocketAddress address;
    private final Violations violations;

    BlockingEchoService(InetSocketAddress address, Violations violations) {
        this.address = address;
        this.violations = violations;
    }

    @Override
    public void start() throws RdmaException {
        BlockingCmId first = listen();
        Thread thread = new Thread(() -> run(first), "blocking echo listener");
        thread.setDaemon(true);
        thread.start();
    }

    private BlockingCmId listen() throws RdmaException {
        BlockingCmId listener = BlockingCmId.create(PortSpace.TCP);
        try {
            listener.bind(address);
            listener.listen(BACKLOG);
            return listener;
        } catch (RdmaException | RuntimeException e) {
            listener.close();
            throw e;
        }
    }

    private void run(BlockingCmId first) {
        BlockingCmId listener = first;
        try {
            while (true) {
                try (BlockingCmId listening = listener) {
                    acceptAll(listening);
                } catch (RdmaException | OutOfMemoryError e) {
                    Log.say("blocking echo: listens anew: ", e);
                }
                listener = listenAgain();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private BlockingCmId listenAgain() throws InterruptedException {
        while (true) {
            try {
                return listen();
            } catch (RdmaException | OutOfMemoryError notYet) {
                TimeUnit.MILLISECONDS.sleep(200);
            }
        }
    }

    private void acceptAll(BlockingCmId listener) throws RdmaException, InterruptedException {
        while (true) {
            try {
                start(listener.getRequest(IDLE));
            } catch (CmTimeoutException nobody) {
                // Waits on.
            }
        }
    }

    private void start(BlockingCmId request) throws RdmaException {
        try {
            Thread thread = new Thread(() -> serve(request), "blocking echo");
            thread.setDaemon(true);
            thread.start();
        } catch (OutOfMemoryError e) {
            request.close();
            throw e;
        }
    }

    private void serve(BlockingCmId client) {
        try (client) {
            client.id().createQp(EchoEnd.queuePair());
            try (EchoEnd end = new EchoEnd(client.id(), violations)) {
                client.accept(ConnectionParameters.DEFAULT, EchoEnd.STEP);
                try {
                    end.serve(IDLE);
                } catch (RdmaException ended) {
                    Log.say("blocking echo: ", ended);
                }
                client.disconnect(EchoEnd.STEP);
                end.settle();
            }
        } catch (RdmaException | IllegalStateException | OutOfMemoryError e) {
            Log.say("blocking echo: ended without an orderly end: ", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
