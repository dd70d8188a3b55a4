// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak.host;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.internal.undo.FirstFailure;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.Pollable;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.kernel.ReadinessSet;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The echo server of one thread that waits in a {@link ReadinessSet} for the events and completions of all connections.
 */
final class SelectedEchoService implements Service {
    private static final int BACKLOG = 64;
    private static final Duration LOOK = Duration.ofSeconds(1);

    private final int port;
    private final Violations violations;
    private final Map<Pollable, SelectedEcho> connections = new HashMap<>();

    SelectedEchoService(int port, Violations violations) {
        this.port = port;
        this.violations = violations;
    }

    @Override
    public void start() throws RdmaException {
        ReadinessSet set = ReadinessSet.open(Kernel.running());
        EventChannel events = EventChannel.open();
        CmId listener = events.createId(PortSpace.TCP);
        listener.bind(new InetSocketAddress(port));
        listener.listen(BACKLOG);
        set.add(events);
        Threads.start("selected echo", () -> run(set, events));
    }

    private void run(ReadinessSet set, EventChannel events) throws InterruptedException {
        try {
            while (true) {
                turn(set, events);
            }
        } catch (RuntimeException e) {
            violations.add("the selected echo server has ended: " + e);
            throw e;
        }
    }

    private void turn(ReadinessSet set, EventChannel events) throws InterruptedException {
        try {
            for (Pollable ready : set.await(LOOK)) {
                SelectedEcho echo = connections.get(ready);
                if (echo != null) {
                    serve(echo);
                }
            }
            for (Optional<CmEvent> event = events.pollEvent(); event.isPresent(); event = events.pollEvent()) {
                take(set, event.get());
            }
            List.copyOf(connections.values()).stream()
                    .filter(echo -> echo.isIdle() || echo.isOver())
                    .forEach(this::end);
        } catch (RdmaException | OutOfMemoryError e) {
            Log.say("selected echo: ", e);
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    private void serve(SelectedEcho echo) throws InterruptedException {
        try {
            echo.serve();
        } catch (RdmaException | IllegalStateException | OutOfMemoryError e) {
            Log.say("selected echo: ", e);
            fail(echo);
        }
    }

    private void take(ReadinessSet set, CmEvent event) {
        try (event) {
            switch (event.type()) {
                case CONNECT_REQUEST -> accept(set, event.id());
                case ESTABLISHED, TIMEWAIT_EXIT, ADDR_CHANGE -> {}
                case DISCONNECTED -> of(event).ifPresent(SelectedEcho::disconnected);
                default -> {
                    Log.say("selected echo: ", event);
                    of(event).ifPresent(this::fail);
                }
            }
        }
    }

    private static Optional<SelectedEcho> of(CmEvent event) {
        return Optional.ofNullable((SelectedEcho) event.id().attachment());
    }

    private void accept(ReadinessSet set, CmId id) {
        SelectedEcho echo;
        try {
            echo = new SelectedEcho(id, violations);
        } catch (OutOfMemoryError e) {
            notAccepted(e, id::close);
            return;
        }
        id.attach(echo);
        try {
            connections.put(echo.open(), echo);
            set.add(echo.channel());
            echo.accept();
        } catch (RdmaException | IllegalStateException | OutOfMemoryError e) {
            notAccepted(e, () -> end(echo));
        }
    }

    private static void notAccepted(Throwable reason, FirstFailure.Step closing) {
        Log.say("selected echo: not accepted: ", reason);
        close(closing);
    }

    private void fail(SelectedEcho echo) {
        echo.failed();
        end(echo);
    }

    /** The set forgets what is closed. */
    private void end(SelectedEcho echo) {
        connections.values().remove(echo);
        close(echo::close);
    }

    private static void close(FirstFailure.Step closing) {
        try {
            closing.run();
        } catch (RdmaException | OutOfMemoryError e) {
            Log.say("selected echo: closing: ", e);
        }
    }
}
