// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak.host;

import io.github.rdma4j.cm.BlockingCmId;
import io.github.rdma4j.cm.CmTimeoutException;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.kernel.RdmaException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * The echo server with blocking ids. It listens on the device's address, so it must listen again after a device
 * removal.
 */
final class BlockingEchoService implements Service {
    private static final Duration IDLE = Duration.ofSeconds(10);
    private static final int BACKLOG = 16;

    private final InetSocketAddress address;
    private final Violations violations;

    BlockingEchoService(InetSocketAddress address, Violations violations) {
        this.address = address;
        this.violations = violations;
    }

    @Override
    public void start() throws IOException, InterruptedException {
        Threads.listen("blocking echo", this::listen, this::acceptAll);
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

    private void acceptAll(BlockingCmId listener) throws RdmaException, InterruptedException {
        try (listener) {
            while (true) {
                try {
                    start(listener.getRequest(IDLE));
                } catch (CmTimeoutException nobody) {
                    // Waits on.
                }
            }
        }
    }

    private void start(BlockingCmId request) throws RdmaException {
        try {
            Threads.start("blocking echo", () -> serve(request));
        } catch (OutOfMemoryError e) {
            request.close();
            throw e;
        }
    }

    private void serve(BlockingCmId client) throws InterruptedException {
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
        }
    }
}
