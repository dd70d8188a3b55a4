// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.rdma4j.support.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What programs may expect of the selectors of any provider. */
@Timeout(120)
public abstract class SelectorScenarios {
    private final SelectorProvider provider;
    private final InetAddress host;

    @AutoClose
    private Pair pair;

    @AutoClose
    private Selector selector;

    protected SelectorScenarios(SelectorProvider provider, InetAddress host) {
        this.provider = provider;
        this.host = host;
    }

    @BeforeEach
    void open() throws IOException {
        pair = Pair.open(provider, host);
        selector = provider.openSelector();
    }

    private SelectionKey register(SelectableChannel channel, int operations) throws IOException {
        return channel.configureBlocking(false).register(selector, operations);
    }

    private void send(String text) throws IOException {
        assertThat(pair.client().write(Pair.bytes(text))).isEqualTo(text.length());
    }

    @Test
    void withoutKeysThereIsNothingToSelect() throws IOException {
        assertThat(selector.selectNow()).isZero();
        assertThat(selector.select(1)).isZero();
        assertThat(selector.keys()).isEmpty();
        assertThat(selector.selectedKeys()).isEmpty();
        assertThat(selector.provider()).isSameAs(provider);
    }

    @Test
    void aChannelWithBytesIsReadable() throws IOException {
        SelectionKey key = register(pair.server(), SelectionKey.OP_READ);
        assertThat(selector.selectNow()).isZero();
        send("x");
        assertThat(selector.select()).isEqualTo(1);
        assertThat(selector.selectedKeys()).containsExactly(key);
        assertThat(key.isReadable()).isTrue();
        assertThat(key.isWritable()).isFalse();
    }

    @Test
    void aKeyThatIsSelectedAndReadyStillEndsASelectionThatCountsNothing() throws IOException {
        SelectionKey key = register(pair.server(), SelectionKey.OP_READ);
        send("x");
        assertThat(selector.select()).isEqualTo(1);
        assertThat(selector.select()).isZero();
        assertThat(selector.selectedKeys().remove(key)).isTrue();
        assertThat(selector.select()).isEqualTo(1);
    }

    @Test
    void operationsAreAddedToThoseOfASelectedKey() throws IOException {
        SelectionKey key = register(pair.server(), SelectionKey.OP_READ);
        send("x");
        assertThat(selector.select()).isEqualTo(1);
        assertThat(key.interestOpsOr(SelectionKey.OP_WRITE)).isEqualTo(SelectionKey.OP_READ);
        assertThat(Pair.read(pair.server(), 1)).isEqualTo("x");
        assertThat(selector.select()).isEqualTo(1);
        assertThat(key.readyOps()).isEqualTo(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
        selector.selectedKeys().clear();
        assertThat(selector.select()).isEqualTo(1);
        assertThat(key.readyOps()).isEqualTo(SelectionKey.OP_WRITE);
    }

    @Test
    void aFullChannelIsWritableAgainWhenThePeerHasRead() throws IOException {
        SelectionKey key = register(pair.server(), SelectionKey.OP_WRITE);
        assertThat(selector.select()).isEqualTo(1);
        selector.selectedKeys().clear();
        long written = 0;
        ByteBuffer source = ByteBuffer.allocateDirect(1 << 16);
        for (int n = pair.server().write(source); n > 0; n = pair.server().write(source.clear())) {
            written += n;
        }
        while (written > 0) {
            written -= pair.client().read(source.clear());
        }
        assertThat(selector.select()).isEqualTo(1);
        assertThat(key.isWritable()).isTrue();
    }

    @Test
    void aListenerIsReadyToAcceptAndAChannelToFinishConnecting() throws IOException {
        SelectionKey listening = register(pair.listener(), SelectionKey.OP_ACCEPT);
        try (SocketChannel channel = provider.openSocketChannel()) {
            SelectionKey connecting = register(channel, 0);
            if (!channel.connect(pair.listener().getLocalAddress())) {
                assertThat(connecting.interestOps(SelectionKey.OP_CONNECT)).isSameAs(connecting);
                while (!selector.selectedKeys().contains(connecting)) {
                    assertThat(selector.select()).isPositive();
                }
                assertThat(connecting.isConnectable()).isTrue();
                assertThat(channel.finishConnect()).isTrue();
            }
            while (!selector.selectedKeys().contains(listening)) {
                assertThat(selector.select()).isPositive();
            }
            assertThat(listening.isAcceptable()).isTrue();
            Pair.close(pair.listener().accept());
        }
    }

    @Test
    void theEndOfTheStreamIsReadable() throws IOException {
        SelectionKey key = register(pair.server(), SelectionKey.OP_READ);
        pair.client().close();
        assertThat(selector.select()).isEqualTo(1);
        assertThat(key.isReadable()).isTrue();
        assertThat(pair.server().read(ByteBuffer.allocate(1))).isEqualTo(-1);
    }

    @Test
    void noInterestMeansNoSelection() throws IOException {
        SelectionKey key = register(pair.server(), SelectionKey.OP_READ);
        send("x");
        assertThat(key.interestOps(0).interestOps()).isZero();
        assertThat(selector.selectNow()).isZero();
        assertThat(selector.select(1)).isZero();
        assertThat(key.interestOpsOr(SelectionKey.OP_READ)).isZero();
        assertThat(selector.select()).isEqualTo(1);
        assertThat(key.interestOpsAnd(0)).isEqualTo(SelectionKey.OP_READ);
    }

    @Test
    void wakeupEndsASelectionUnderWayAndOtherwiseTheNext() throws Exception {
        Await.Running<Integer> selecting = Pair.blocked(() -> selector.select());
        assertThat(selector.wakeup()).isSameAs(selector);
        assertThat(selecting.result()).isZero();
        assertThat(selector.wakeup().wakeup()).isSameAs(selector);
        assertThat(selector.select()).isZero();
        assertThat(selector.wakeup()).isSameAs(selector);
        assertThat(selector.selectNow()).isZero();
        send("x");
        SelectionKey key = register(pair.server(), SelectionKey.OP_READ);
        assertThat(selector.select()).isEqualTo(1);
        assertThat(key.isReadable()).isTrue();
    }

    @Test
    void anInterruptEndsASelectionAndLeavesTheSelectorOpen() throws Exception {
        Await.Running<Boolean> selecting = Pair.blocked(
                () -> selector.select() == 0 && Thread.currentThread().isInterrupted());
        selecting.thread().interrupt();
        assertThat(selecting.result()).isTrue();
        assertThat(selector.isOpen()).isTrue();
        Thread.currentThread().interrupt();
        assertThat(selector.select()).isZero();
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void aCancelledKeyIsDroppedByTheNextSelection() throws IOException {
        SelectionKey key = register(pair.server(), SelectionKey.OP_READ);
        key.cancel();
        assertThat(key.isValid()).isFalse();
        assertThat(selector.keys()).containsExactly(key);
        assertThat(pair.server().isRegistered()).isTrue();
        assertThatExceptionOfType(CancelledKeyException.class).isThrownBy(key::interestOps);
        assertThatExceptionOfType(CancelledKeyException.class).isThrownBy(key::readyOps);
        assertThatExceptionOfType(CancelledKeyException.class)
                .isThrownBy(() -> pair.server().register(selector, SelectionKey.OP_READ));
        assertThat(selector.selectNow()).isZero();
        assertThat(selector.keys()).isEmpty();
        assertThat(pair.server().isRegistered()).isFalse();
        send("x");
        assertThat(register(pair.server(), SelectionKey.OP_READ)).isNotSameAs(key);
        assertThat(selector.select()).isEqualTo(1);
    }

    @Test
    void aClosedChannelIsDroppedByTheNextSelectionAndItsPeerReadsTheEndAtOnce() throws IOException {
        SelectionKey key = register(pair.server(), SelectionKey.OP_READ);
        assertThat(selector.selectNow()).isZero();
        pair.server().close();
        assertThat(key.isValid()).isFalse();
        assertThat(pair.client().read(ByteBuffer.allocate(1))).isEqualTo(-1);
        assertThat(selector.keys()).containsExactly(key);
        assertThat(selector.selectNow()).isZero();
        assertThat(selector.keys()).isEmpty();
    }

    @Test
    void theChannelMayBeClosedDuringASelection() throws Exception {
        SelectionKey key = register(pair.server(), SelectionKey.OP_READ);
        Await.Running<Integer> selecting = Pair.blocked(() -> selector.select());
        pair.server().close();
        assertThat(pair.client().read(ByteBuffer.allocate(1))).isEqualTo(-1);
        assertThat(selector.wakeup()).isSameAs(selector);
        assertThat(selecting.result()).isZero();
        assertThat(key.isValid()).isFalse();
        assertThat(selector.keys()).isEmpty();
    }

    @Test
    void registeringAgainChangesTheKey() throws IOException {
        SelectionKey key = register(pair.server(), SelectionKey.OP_READ);
        assertThat(pair.server().register(selector, SelectionKey.OP_WRITE, "attached"))
                .isSameAs(key);
        assertThat(key.attachment()).isEqualTo("attached");
        assertThat(key.interestOps()).isEqualTo(SelectionKey.OP_WRITE);
        assertThat(pair.server().keyFor(selector)).isSameAs(key);
        assertThat(key.channel()).isSameAs(pair.server());
        assertThat(key.selector()).isSameAs(selector);
        assertThat(selector.keys()).containsExactly(key);
    }

    @Test
    void aChannelIsInSeveralSelectors() throws IOException {
        try (Selector second = provider.openSelector()) {
            SelectionKey first = register(pair.server(), SelectionKey.OP_READ);
            SelectionKey other = pair.server().register(second, SelectionKey.OP_READ);
            send("x");
            assertThat(selector.select()).isEqualTo(1);
            assertThat(second.select()).isEqualTo(1);
            first.cancel();
            assertThat(selector.selectNow()).isZero();
            assertThat(pair.server().isRegistered()).isTrue();
            assertThat(other.isValid()).isTrue();
        }
        assertThat(pair.server().isRegistered()).isFalse();
    }

    @Test
    void anActionGetsEachKeyAndTheSelectedSetStaysEmpty() throws IOException {
        SelectionKey reading = register(pair.server(), SelectionKey.OP_READ);
        SelectionKey writing = register(pair.client(), SelectionKey.OP_WRITE);
        send("x");
        List<SelectionKey> found = new ArrayList<>();
        while (!found.contains(reading)) {
            found.clear();
            assertThat(selector.select(found::add)).isEqualTo(found.size());
        }
        assertThat(found).containsExactlyInAnyOrder(reading, writing);
        assertThat(reading.isReadable()).isTrue();
        assertThat(selector.selectedKeys()).isEmpty();
        assertThat(selector.selectNow(found::add)).isEqualTo(2);
        assertThat(selector.select(found::add, 1)).isEqualTo(2);
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> selector.select(key -> assertThat(select()).isZero()));
    }

    private int select() {
        try {
            return selector.selectNow();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void theSetsOfKeysAreTheSelectorsOwn() throws IOException {
        SelectionKey key = register(pair.server(), SelectionKey.OP_WRITE);
        assertThat(selector.select()).isEqualTo(1);
        Set<SelectionKey> selected = selector.selectedKeys();
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> selector.keys().clear());
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> selector.keys().remove(key));
        assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> selected.add(key));
        assertThat(selected.remove(key)).isTrue();
        assertThat(selected.remove(key)).isFalse();
        assertThat(selector.selectedKeys()).isSameAs(selected);
    }

    @Test
    void aClosedSelectorHasNoKeysAndItsChannelsAreFree() throws IOException {
        SelectionKey key = register(pair.server(), SelectionKey.OP_READ);
        selector.close();
        selector.close();
        assertThat(key.isValid()).isFalse();
        assertThat(pair.server().isRegistered()).isFalse();
        assertThat(pair.server().configureBlocking(true).isBlocking()).isTrue();
        assertThat(selector.wakeup()).isSameAs(selector);
        assertThatExceptionOfType(ClosedSelectorException.class).isThrownBy(() -> selector.select());
        assertThatExceptionOfType(ClosedSelectorException.class).isThrownBy(() -> selector.keys());
        assertThatExceptionOfType(ClosedSelectorException.class).isThrownBy(() -> selector.selectedKeys());
        assertThatExceptionOfType(ClosedSelectorException.class)
                .isThrownBy(() -> register(pair.server(), SelectionKey.OP_READ));
    }

    @Test
    void closingTheSelectorEndsASelectionUnderWay() throws Exception {
        SelectionKey key = register(pair.server(), SelectionKey.OP_READ);
        Await.Running<Integer> selecting = Pair.blocked(() -> selector.select());
        selector.close();
        assertThat(selecting.result()).isZero();
        assertThat(key.isValid()).isFalse();
    }

    @Test
    void whatBlocksIsNotRegisteredAndWhatIsRegisteredDoesNotBlock() throws IOException {
        assertThatExceptionOfType(IllegalBlockingModeException.class)
                .isThrownBy(() -> pair.server().register(selector, SelectionKey.OP_READ));
        SelectionKey key = register(pair.server(), SelectionKey.OP_READ);
        assertThatExceptionOfType(IllegalBlockingModeException.class)
                .isThrownBy(() -> pair.server().configureBlocking(true));
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> key.interestOps(SelectionKey.OP_ACCEPT));
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> register(pair.client(), SelectionKey.OP_ACCEPT));
        assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> selector.select(-1));
        pair.server().close();
        assertThatExceptionOfType(ClosedChannelException.class)
                .isThrownBy(() -> pair.server().register(selector, SelectionKey.OP_READ));
    }

    @Test
    void aChannelThatIsNotConnectedYetIsReadyForNothingButAnError() throws IOException {
        try (SocketChannel channel = provider.openSocketChannel()) {
            SelectionKey key = register(channel, SelectionKey.OP_CONNECT);
            assertThat(selector.selectNow()).isEqualTo(1);
            assertThat(key.isConnectable()).isTrue();
        }
    }

    @Test
    void manyChannelsComeAndGo() throws IOException {
        for (int round = 0; round < 3; round++) {
            List<Pair> pairs = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                pairs.add(Pair.open(provider, host));
                assertThat(register(pairs.get(i).server(), SelectionKey.OP_READ).isValid())
                        .isTrue();
                assertThat(pairs.get(i).client().write(Pair.bytes("x"))).isEqualTo(1);
            }
            while (selector.selectedKeys().size() < pairs.size()) {
                assertThat(selector.select()).isNotNegative();
            }
            selector.selectedKeys().clear();
            for (Pair closing : pairs) {
                closing.close();
            }
            assertThat(selector.selectNow()).isZero();
            assertThat(selector.keys()).isEmpty();
        }
    }
}
