// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.kernel.RdmaException;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Ends that are shut in each order, with the messages that cross on the way. */
class EndsTest {
    private static final String SHUTDOWN = "e0000002 to 0/0: ";
    private static final String DISCONNECT = "e0000000 to 0/0: ";

    private final Recorder recorder = new Recorder(Setup.USUAL.buffers(128, 128).queues(16, 16));
    private final StreamEngine engine = recorder.engine;

    @BeforeEach
    void connect() throws RdmaException {
        engine.connected(Recorder.peer(16, 0));
        engine.sent(recorder.last);
        recorder.take();
    }

    private void peerSays(int code) throws RdmaException {
        engine.received(Message.of(Message.CTRL, code), 0);
        engine.proceed();
    }

    private void fillControlSlots() throws RdmaException {
        for (int i = 0; i < SendWindow.CONTROL_SLOTS; i++) {
            engine.keepAlive();
        }
        recorder.take();
    }

    private static void receive(StreamEngine engine, int bytes) throws RdmaException {
        engine.received(Message.of(Message.DATA, bytes), bytes);
        assertThat(engine.read(ByteBuffer.allocate(bytes))).isEqualTo(bytes);
    }

    private void says(String... messages) {
        assertThat(recorder.take()).isEqualTo(List.of(messages));
    }

    @Test
    void aSideThatMustNotSpeakFirstIsSilent() throws RdmaException {
        Recorder silent = new Recorder(Setup.USUAL.buffers(128, 128).queues(16, 16));
        silent.engine.letPeerSpeakFirst();
        silent.engine.connected(Recorder.peer(16, 0));
        assertThat(silent.engine.maySend()).isFalse();
        assertThat(silent.engine.write(ByteBuffer.allocate(1))).isZero();
        silent.engine.keepAlive();
        silent.engine.disconnect();
        assertThat(silent.engine.isDrained()).isFalse();
        assertThat(silent.posts).isEmpty();
        silent.engine.speak();
        assertThat(silent.posts).containsExactly(DISCONNECT);
    }

    @Test
    void aSideThatMustNotSpeakFirstWaitsForThePeersWordAsAnAnswer() throws RdmaException {
        Recorder silent = new Recorder(Setup.USUAL.buffers(128, 128).queues(16, 16));
        silent.engine.letPeerSpeakFirst();
        silent.engine.connected(Recorder.peer(16, 0));
        silent.engine.keepAlive();
        assertThat(silent.posts).isEmpty();
        assertThat(silent.engine.isAnswered()).isFalse();
        silent.engine.received(Message.of(Message.DATA, 1), 1);
        assertThat(silent.engine.isAnswered()).isTrue();
    }

    /** The peer's machine goes before it has acknowledged credits, two offers and SHUTDOWN: these ask, as there is no place for more. */
    @Test
    void controlMessagesThatAreNotAcknowledgedAreAQuestion() throws RdmaException {
        Recorder full = new Recorder(Setup.USUAL);
        full.engine.connected(full.engine.description());
        full.engine.sent(full.last);
        int half = Setup.USUAL.places().receiveBytes() / 2;
        int many = Setup.USUAL.receiveQueue() / 2;
        for (int i = 0; i < many; i++) {
            receive(full.engine, 8);
        }
        receive(full.engine, half - 8 * many);
        receive(full.engine, half);
        full.engine.shutdownOutput();
        full.take();
        full.engine.keepAlive();
        assertThat(full.take()).as("no place for a question").isEmpty();
        assertThat(full.engine.isAnswered()).isFalse();
        full.engine.sent(full.last);
        assertThat(full.engine.isAnswered()).isTrue();
    }

    @Test
    void aSilentSideSpeaksAfterThePeersFirstMessage() throws RdmaException {
        Recorder silent = new Recorder(Setup.USUAL.buffers(128, 128).queues(16, 16));
        silent.engine.letPeerSpeakFirst();
        silent.engine.connected(Recorder.peer(16, 0));
        silent.engine.received(Message.of(Message.DATA, 1), 1);
        assertThat(silent.engine.maySend()).isTrue();
        silent.engine.proceed();
        assertThat(silent.posts).as("memory for the peer").hasSize(1);
    }

    @Test
    void outputFirst() throws RdmaException {
        engine.shutdownOutput();
        engine.shutdownOutput();
        says(SHUTDOWN);
        assertThat(engine.write(ByteBuffer.allocate(1))).isZero();
        engine.sent(recorder.last);
        assertThat(engine.isDrained()).as("the input is open").isFalse();
        engine.shutdownInput();
        says(DISCONNECT);
        assertThat(engine.isDrained()).isFalse();
        engine.sent(recorder.last);
        assertThat(engine.isDrained()).isTrue();
    }

    @Test
    void inputFirst() throws RdmaException {
        engine.shutdownInput();
        says();
        assertThat(engine.atEnd()).isTrue();
        engine.received(Message.of(Message.DATA, 64), 64);
        engine.proceed();
        assertThat(recorder.take()).as("what comes is dropped, and makes room").hasSize(1);
        assertThat(engine.available()).isZero();
        engine.shutdownOutput();
        says(DISCONNECT);
    }

    @Test
    void afterThePeersOutput() throws RdmaException {
        engine.received(Message.of(Message.DATA, 5), 5);
        peerSays(Message.SHUTDOWN);
        assertThat(engine.atEnd()).isFalse();
        assertThat(engine.write(ByteBuffer.allocate(1))).isEqualTo(1);
        recorder.take();
        assertThat(engine.read(ByteBuffer.allocate(9))).isEqualTo(5);
        assertThat(engine.atEnd()).isTrue();
        engine.shutdownOutput();
        says(DISCONNECT);
        assertThat(engine.peerGone()).isFalse();
        engine.sent(recorder.last);
        assertThat(engine.isDrained()).isTrue();
    }

    @Test
    void afterThePeerHasDisconnected() throws RdmaException {
        engine.received(Message.of(Message.DATA, 64), 64);
        peerSays(Message.DISCONNECT);
        assertThat(engine.peerGone()).isTrue();
        assertThat(engine.maySend()).isFalse();
        assertThat(engine.write(ByteBuffer.allocate(1))).isZero();
        assertThat(engine.read(ByteBuffer.allocate(99))).isEqualTo(64);
        engine.keepAlive();
        engine.shutdownOutput();
        engine.disconnect();
        says();
        assertThat(engine.isDrained()).isTrue();
    }

    @Test
    void outputsOfBothCross() throws RdmaException {
        engine.write(ByteBuffer.allocate(1));
        engine.shutdownOutput();
        recorder.take();
        peerSays(Message.SHUTDOWN);
        assertThat(engine.peerGone()).isTrue();
        assertThat(engine.isDrained()).as("what was written is under way").isFalse();
        engine.disconnect();
        says();
        engine.sent(recorder.last);
        assertThat(engine.isDrained()).isTrue();
    }

    @Test
    void thePeersOutputCrossesBothMessages() throws RdmaException {
        engine.shutdownOutput();
        long shutdown = recorder.last;
        engine.disconnect();
        says(SHUTDOWN, DISCONNECT);
        engine.sent(shutdown);
        assertThat(engine.isDrained()).isFalse();
        peerSays(Message.SHUTDOWN);
        assertThat(engine.isDrained())
                .as("the peer may be gone before DISCONNECT arrives")
                .isTrue();
    }

    @Test
    void thePeersOutputCrossesAMessageThatWaits() throws RdmaException {
        fillControlSlots();
        engine.shutdownOutput();
        says();
        peerSays(Message.SHUTDOWN);
        assertThat(engine.peerGone()).as("the peer waits for a message").isFalse();
        engine.sent(recorder.last);
        engine.proceed();
        says(DISCONNECT);
    }

    @Test
    void bothDisconnect() throws RdmaException {
        engine.disconnect();
        says(DISCONNECT);
        peerSays(Message.DISCONNECT);
        assertThat(engine.isDrained()).isTrue();
    }

    @Test
    void thePeerDisconnectsWhileAMessageWaits() throws RdmaException {
        fillControlSlots();
        engine.disconnect();
        peerSays(Message.DISCONNECT);
        engine.sent(recorder.last);
        engine.proceed();
        says();
        assertThat(engine.isDrained()).isTrue();
    }

    @Test
    void cOffersMemoryAfterDisconnect() throws RdmaException {
        peerSays(Message.DISCONNECT);
        recorder.offer(1, 0x1000, 1, 64, 16);
        engine.proceed();
        says();
        assertThat(engine.peerGone()).isTrue();
    }

    @Test
    void nothingIsOfferedToAPeerThatSendsNoMore() throws RdmaException {
        engine.received(Message.of(Message.DATA, 64), 64);
        engine.received(Message.of(Message.CTRL, Message.SHUTDOWN), 0);
        engine.read(ByteBuffer.allocate(99));
        says();
    }
}
