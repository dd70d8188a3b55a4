// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak.host;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.loop.CmConnection;
import io.github.rdma4j.cm.loop.CmEventLoop;
import io.github.rdma4j.cm.loop.CmRequest;
import io.github.rdma4j.kernel.RdmaException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The echo server on a {@link CmEventLoop}: listens on every address, and so lives through the removal of a device. */
final class LoopEchoService implements Service {
    private static final Duration IDLE = Duration.ofSeconds(10);

    private final int port;
    private final Violations violations;

    LoopEchoService(int port, Violations violations) {
        this.port = port;
        this.violations = violations;
    }

    @Override
    public void start() throws RdmaException {
        CmEventLoop loop = CmEventLoop.open();
        loop.listen(new InetSocketAddress(port), this::accept);
        violations.watch(loop);
    }

    private void accept(CmRequest request) {
        var unused = request.accept(EchoEnd.options(violations)).whenComplete(this::begin);
    }

    private void begin(@Nullable CmConnection connection, @Nullable Throwable failure) {
        if (connection == null) {
            Log.say("loop echo: not accepted: ", failure);
            return;
        }
        try {
            Threads.start("loop echo", () -> serve(connection));
        } catch (OutOfMemoryError e) {
            close(connection);
            throw e;
        }
    }

    private void serve(CmConnection connection) throws InterruptedException {
        try (connection) {
            EchoEnd end = EchoEnd.of(connection);
            // The receives of a removed device may never complete: closing wakes the thread that waits for them.
            var unused = connection.disconnected().exceptionally(removed -> close(connection));
            try {
                end.serve(IDLE);
            } catch (RdmaException ended) {
                Log.say("loop echo: ", ended);
            }
            connection.disconnect().get(EchoEnd.STEP.toSeconds(), TimeUnit.SECONDS);
            end.settle();
        } catch (RdmaException | IllegalStateException | ExecutionException | TimeoutException e) {
            Log.say("loop echo: ended without an orderly end: ", e);
        }
    }

    private static @Nullable CmEvent close(CmConnection connection) {
        try {
            connection.close();
        } catch (RdmaException e) {
            Log.say("loop echo: closing: ", e);
        }
        return null;
    }
}
