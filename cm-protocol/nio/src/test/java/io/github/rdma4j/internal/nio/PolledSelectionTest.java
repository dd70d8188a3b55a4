// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.internal.libc.SocketCalls;
import io.github.rdma4j.support.Await;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A selector with a source that has to be asked. */
@Timeout(120)
class PolledSelectionTest {
    private final StreamProvider provider = new StreamProvider(Rules.parse("a test", "tcp *"), null);

    @AutoClose
    private final PolledSource source = new PolledSource(provider);

    @AutoClose
    private Selector selector;

    @BeforeEach
    void open() throws IOException {
        selector = provider.openSelector();
    }

    private SelectionKey register(int operations) throws IOException {
        return source.nonBlocking().register(selector, operations);
    }

    @Test
    void anEventBeforeTheSourceWasEverArmedIsSeen() throws IOException {
        source.raise(SocketCalls.POLLIN);
        SelectionKey key = register(SelectionKey.OP_READ);
        assertThat(selector.select()).isEqualTo(1);
        assertThat(key.isReadable()).isTrue();
    }

    @Test
    void aSourceIsArmedBeforeTheSelectorSleepsAndItsEventEndsTheSleep() throws Exception {
        SelectionKey key = register(SelectionKey.OP_READ);
        Await.Running<Integer> selecting = Pair.blocked(() -> selector.select());
        while (!source.isArmed()) {
            Thread.onSpinWait();
        }
        source.raise(SocketCalls.POLLIN);
        assertThat(selecting.result()).isEqualTo(1);
        assertThat(key.isReadable()).isTrue();
    }

    @Test
    void anEventThatMakesNothingReadyDoesNotEndTheSelection() throws Exception {
        SelectionKey key = register(SelectionKey.OP_READ);
        Await.Running<Integer> selecting = Pair.blocked(() -> selector.select());
        for (int i = 0; i < 10; i++) {
            while (!source.isArmed()) {
                Thread.onSpinWait();
            }
            source.raise(i % 2 == 0 ? 0 : SocketCalls.POLLOUT);
        }
        while (!source.isArmed()) {
            Thread.onSpinWait();
        }
        source.raise(SocketCalls.POLLIN);
        assertThat(selecting.result()).isEqualTo(1);
        assertThat(key.readyOps()).isEqualTo(SelectionKey.OP_READ);
    }

    @Test
    void aSourceThatNobodyIsInterestedInIsStillAsked() throws Exception {
        SelectionKey key = register(0);
        Await.Running<Integer> selecting = Pair.blocked(() -> selector.select());
        while (!source.isArmed()) {
            Thread.onSpinWait();
        }
        int before = source.asked();
        source.raise(SocketCalls.POLLIN);
        while (source.asked() == before || !source.isArmed()) {
            Thread.onSpinWait();
        }
        assertThat(selector.wakeup()).isSameAs(selector);
        assertThat(selecting.result()).isZero();
        assertThat(key.interestOps(SelectionKey.OP_READ)).isSameAs(key);
        assertThat(selector.select()).isEqualTo(1);
    }

    @Test
    void aSourceThatStaysReadyIsSelectedEachTimeAndArmedOnceItIsRead() throws IOException {
        SelectionKey key = register(SelectionKey.OP_READ);
        source.raise(SocketCalls.POLLIN);
        for (int i = 0; i < 3; i++) {
            assertThat(selector.select()).isEqualTo(1);
            assertThat(selector.selectedKeys().remove(key)).isTrue();
            assertThat(source.isArmed()).isFalse();
        }
        source.consume();
        assertThat(selector.selectNow()).isZero();
        assertThat(source.isArmed()).isTrue();
    }

    @Test
    void aCancelledKeysSourceIsNotAsked() throws IOException {
        SelectionKey key = register(SelectionKey.OP_READ);
        source.raise(SocketCalls.POLLIN);
        assertThat(selector.select()).isEqualTo(1);
        key.cancel();
        assertThat(selector.selectNow()).isZero();
        int before = source.asked();
        assertThat(selector.selectNow()).isZero();
        assertThat(source.asked()).isEqualTo(before);
    }

    @Test
    void whatAWorkerTakesBeforeTheSourceIsArmedIsSelected() throws IOException {
        SelectionKey key = register(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
        for (int bit : new int[] {SocketCalls.POLLIN, SocketCalls.POLLOUT}) {
            source.takenBeforeArming(bit);
            assertThat(selector.select()).isEqualTo(1);
            assertThat(key.readyOps())
                    .isEqualTo(bit == SocketCalls.POLLIN ? SelectionKey.OP_READ : SelectionKey.OP_WRITE);
            assertThat(selector.selectedKeys().remove(key)).isTrue();
            source.consume();
        }
    }

    @Test
    void whatOneSelectorTakesBeforeTheOtherArmsTheSourceIsSelectedByBoth() throws Exception {
        SelectionKey key = register(SelectionKey.OP_READ);
        try (Selector other = provider.openSelector()) {
            SelectionKey otherKey = source.register(other, SelectionKey.OP_READ);
            source.takenBeforeArming(SocketCalls.POLLIN);
            assertThat(other.select()).isEqualTo(1);
            assertThat(selector.select()).isEqualTo(1);
            assertThat(otherKey.isReadable() && key.isReadable()).isTrue();
        }
    }

    /** What nobody is interested in does not keep the selector awake. */
    @Test
    void aSourceThatIsReadyForSomethingElseIsArmed() throws IOException {
        SelectionKey key = register(SelectionKey.OP_READ);
        source.raise(SocketCalls.POLLOUT);
        assertThat(selector.selectNow()).isZero();
        assertThat(selector.selectNow()).isZero();
        assertThat(source.isArmed()).isTrue();
        assertThat(key.readyOps()).isZero();
    }

    @Test
    void aSelectorKeepsNothingOfAChannelThatItHasForgotten() throws IOException {
        WeakReference<Object> selectedKey = selectAndForget(() -> {
            assertThat(selector.select()).isEqualTo(1);
            selector.selectedKeys().clear();
        });
        WeakReference<Object> removedKey = selectAndForget(() -> {
            assertThat(selector.select()).isEqualTo(1);
            selector.selectedKeys().removeAll(List.copyOf(selector.selectedKeys()));
        });
        WeakReference<Object> ofAnAction =
                selectAndForget(() -> assertThat(selector.select(key -> {})).isEqualTo(1));
        while (!Thread.currentThread().isInterrupted()
                && (selectedKey.get() != null || removedKey.get() != null || ofAnAction.get() != null)) {
            System.gc();
        }
        assertThat(selectedKey.get()).isNull();
        assertThat(removedKey.get()).isNull();
        assertThat(ofAnAction.get()).isNull();
    }

    private interface Selecting {
        void run() throws IOException;
    }

    private WeakReference<Object> selectAndForget(Selecting selecting) throws IOException {
        PolledSource forgotten = new PolledSource(provider);
        SelectionKey key = forgotten.nonBlocking().register(selector, SelectionKey.OP_READ);
        forgotten.raise(SocketCalls.POLLIN);
        selecting.run();
        key.cancel();
        assertThat(selector.selectNow()).isZero();
        forgotten.close();
        return new WeakReference<>(forgotten);
    }
}
