// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.netty.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.cm.CmEventException;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.internal.cm.Shortage;
import io.github.rdma4j.internal.rsocket.Stream;
import io.github.rdma4j.internal.rsocket.StreamConnect;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PendingConnectTest {
    private static final int CONSUMER_DEFINED = 28;

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final CompletableFuture<Stream> first = new CompletableFuture<>();
    private final CompletableFuture<Stream> second = new CompletableFuture<>();
    private final AtomicInteger changes = new AtomicInteger();
    private final PendingConnect pending = new PendingConnect(
            InetSocketAddress.createUnresolved("peer", 7471),
            new StreamConnect<>(first),
            () -> new StreamConnect<>(second),
            channel.newPromise(),
            changes::incrementAndGet);

    @Test
    void aListenerThatDoesNotKnowTheWireIsAskedOnTheOther() throws Exception {
        assertThat(pending.finish()).isNull();
        first.completeExceptionally(rejection(CONSUMER_DEFINED, new byte[0]));
        assertThat(changes).hasValue(1);
        assertThat(pending.finish()).isNull();
        second.completeExceptionally(new ConnectException("second"));
        assertThat(changes).hasValue(2);
        assertThatThrownBy(pending::finish).hasMessage("second");
    }

    /** Whoever asks is not told again of what has happened before. */
    @Test
    void aSecondAttemptThatIsOverAtOnceIsAnAnswer() throws Exception {
        second.completeExceptionally(new ConnectException("second"));
        first.completeExceptionally(rejection(CONSUMER_DEFINED, new byte[0]));
        assertThatThrownBy(pending::finish).hasMessage("second");
    }

    @Test
    void anyOtherFailureOfTheFirstAttemptIsFinal() throws Exception {
        first.completeExceptionally(rejection(10, new byte[0]));
        assertThatThrownBy(pending::finish).isInstanceOf(IOException.class).hasMessageContaining("REJECTED");
    }

    @Test
    void aListenerThatSaysWhatItLacksIsNotAskedAgain() throws Exception {
        second.completeExceptionally(new ConnectException("second"));
        first.completeExceptionally(rejection(CONSUMER_DEFINED, Shortage.MEMORY.encode()));
        assertThatThrownBy(pending::finish).hasMessageContaining("REJECTED");
    }

    /** As the connection manager reports a rejection, which only an event can make. */
    private static IOException rejection(int status, byte[] data) throws Exception {
        Constructor<CmEventException> maker = CmEventException.class.getDeclaredConstructor(
                CmEventType.class, int.class, byte[].class, String.class, Throwable.class);
        maker.setAccessible(true);
        CmEventException event = maker.newInstance(CmEventType.REJECTED, status, data, "a connect", null);
        return new IOException(event.getMessage(), event);
    }
}
