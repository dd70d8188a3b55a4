// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.internal.ucm.GetEvent.EventReply;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import org.assertj.core.api.ThrowingConsumer;
import org.junit.jupiter.api.Test;

/** Events of an id take effect in their order, each once. */
class IdLockTest {
    /** Only a dropped event needs the channel. */
    @SuppressWarnings("NullAway")
    private static final RdmaUcm NO_CHANNEL = null;

    private final List<Delivery> processed = new ArrayList<>();
    private final Queue<Error> troubles = new ArrayDeque<>();
    private final IdLock lock = new IdLock(() -> {});
    private final EventSink sink = new EventSink() {
        @Override
        public IdLock lock() {
            return lock;
        }

        @Override
        public boolean isDatagram() {
            return false;
        }

        @Override
        public Optional<RetrievedEvent> process(Delivery delivery) {
            Error trouble = troubles.poll();
            if (trouble != null) {
                throw trouble;
            }
            processed.add(delivery);
            return Optional.empty();
        }
    };

    @Test
    void eventsComeInTheirOrder() {
        Delivery first = add();
        Delivery second = add();
        assertThat(lock.events()).isEqualTo(2);

        take();
        take();

        assertThat(processed).satisfiesExactly(is(first), is(second));
        assertThat(lock.hasEvents()).isFalse();
        assertThat(lock.events()).isZero();
    }

    @Test
    void anEventThatFailsIsNotDeliveredAgain() {
        add();
        troubles.add(new AssertionError("of the test"));

        assertThatThrownBy(this::take).isInstanceOf(AssertionError.class);

        assertThat(lock.hasEvents()).isFalse();
    }

    private Delivery add() {
        EventReply reply = EventReply.decode(ByteBuffer.allocate(EventReply.BYTES), 0, false);
        Delivery delivery = new Delivery(reply, sink, NO_CHANNEL, true);
        lock.add(delivery);
        return delivery;
    }

    private void take() {
        lock.lock();
        Objects.requireNonNull(lock.next()).process();
    }

    private static ThrowingConsumer<Delivery> is(Delivery expected) {
        return actual -> assertThat(actual).isSameAs(expected);
    }
}
