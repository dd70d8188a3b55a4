// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.ping;

import io.github.rdma4j.cli.run.Failures;
import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.kernel.Deadline;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.WorkCompletion;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The CM events of a client, which its only thread retrieves while it waits for completions. */
final class ClientEvents {
    private final EventChannel channel;
    private final @Nullable Duration patience;

    ClientEvents(EventChannel channel, @Nullable Duration patience) {
        this.channel = channel;
        this.patience = patience;
    }

    /** Waits for an event of this type; throws the failure reported by an event of another type. */
    void expect(CmEventType type) throws RdmaException, InterruptedException {
        try (CmEvent event = next()) {
            if (event.type() != type) {
                throw failure(event);
            }
        }
    }

    private CmEvent next() throws RdmaException, InterruptedException {
        return patience == null
                ? channel.awaitEvent()
                : channel.awaitEvent(patience).orElseThrow(this::outOfPatience);
    }

    private RdmaException outOfPatience() {
        return new RdmaException("no answer from the server for " + (patience == null ? 0 : patience.toSeconds())
                + " s (--timeout). Is the server stopped, or another program?");
    }

    /** Waits for a completion; throws if an event ends the connection meanwhile. */
    void await(CompletionQueue cq, WorkCompletion[] into) throws RdmaException, InterruptedException {
        Deadline deadline = patience == null ? Deadline.never() : Deadline.after(patience);
        while (cq.await(into, deadline, channel) == 0) {
            look();
            if (deadline.expired()) {
                throw outOfPatience();
            }
        }
    }

    /** Throws if an event has ended the connection. */
    void look() throws RdmaException {
        for (Optional<CmEvent> event = channel.pollEvent(); event.isPresent(); event = channel.pollEvent()) {
            try (CmEvent present = event.get()) {
                if (present.type().endsConnection()) {
                    throw failure(present);
                }
            }
        }
    }

    /** The failure of an exchange or, if an event caused it, the event, with the time. */
    RdmaException explain(RdmaException failure, String when) {
        RdmaException cause = failure;
        try {
            look();
        } catch (RdmaException e) {
            e.addSuppressed(failure);
            cause = e;
        }
        return new RdmaException(when + ": " + cause.getMessage(), cause);
    }

    /** Waits until the connection has ended for any reason, or until the time limit. */
    void awaitEnd() throws RdmaException, InterruptedException {
        boolean ended = false;
        while (!ended) {
            Optional<CmEvent> event =
                    patience == null ? Optional.of(channel.awaitEvent()) : channel.awaitEvent(patience);
            ended = event.isEmpty() || event.get().type().endsConnection();
            event.ifPresent(CmEvent::close);
        }
    }

    private static RdmaException failure(CmEvent event) {
        return event.type() == CmEventType.DISCONNECTED
                ? new RdmaException("the server has disconnected; its output tells the reason", event.toException())
                : Failures.of(event);
    }
}
