// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.internal.provider.QueueRings;
import io.github.rdma4j.internal.provider.ReceiveRing;
import io.github.rdma4j.internal.provider.SendRing;
import io.github.rdma4j.internal.undo.FirstFailure;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.QpAttr;
import io.github.rdma4j.verbs.attr.QpState;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a change of state and an asynchronous event make of a queue pair, and what may happen while the kernel is asked. */
class QueuePairStateTest {
    private final List<String> calls = new ArrayList<>();
    private final QueuePairState state = new QueuePairState(new Rings(), new Owner());
    private QpState reported = QpState.ERR;
    private FirstFailure.Step whileAsked = () -> {};
    private final List<String> modifications = new ArrayList<>();
    private boolean locked;

    private final class Rings implements QueueRings {
        @Override
        public SendRing send() {
            throw new AssertionError("no send");
        }

        @Override
        public @Nullable ReceiveRing receive() {
            return null;
        }

        @Override
        public boolean failsByEvents() {
            return true;
        }

        @Override
        public void failByEvent() {
            calls.add("flush" + (locked ? " locked" : ""));
        }

        @Override
        public void modified(QpAttr attributes) {
            modifications.add(attributes.state() + " in " + state.get() + (locked ? " locked" : ""));
        }

        @Override
        public void retire(boolean destroyed) {}
    }

    private final class Owner implements QueuePairState.Owner {
        @Override
        public void modify(QpAttr attributes) {}

        @Override
        public QpState query() throws RdmaException {
            calls.add("query" + (locked ? " locked" : ""));
            QpState answer = reported;
            whileAsked.run();
            return answer;
        }

        @Override
        public int receivesPosted() {
            return 0;
        }

        @Override
        public void whileQueuesLocked(FirstFailure.Step step) throws RdmaException {
            locked = true;
            step.run();
            locked = false;
        }

        @Override
        public void forgetCompletions() {}

        @Override
        public void sendCompletedByProvider() {
            calls.add("wake");
        }

        @Override
        public void receiveCompletedByProvider() {}
    }

    private void modify(QpState to) throws RdmaException {
        state.modify(QpAttr.builder().state(to).build());
    }

    /** A thread that posts as soon as it sees RTS posts to rings that know the attributes, such as the first packet's number. */
    @Test
    void ringsKnowTheAttributesBeforePostingIsAllowed() throws Exception {
        modify(QpState.INIT);
        modify(QpState.RTR);
        modify(QpState.RTS);
        modify(QpState.RESET);
        assertThat(modifications)
                .containsExactly(
                        "INIT in RESET locked", "RTR in INIT locked", "RTS in RTR locked", "RESET in RESET locked");
    }

    @Test
    void asksTheKernelBeforeItLocksTheQueues() throws Exception {
        modify(QpState.RTS);
        state.failByEvent();
        assertThat(calls).containsExactly("query", "flush locked", "wake");
    }

    @Test
    void flushesNothingOfAQueuePairThatTheKernelReportsInAnotherState() throws Exception {
        modify(QpState.RTS);
        reported = QpState.RTS;
        state.failByEvent();
        assertThat(calls).containsExactly("query");
    }

    @Test
    void doesNotAskAboutAQueuePairInReset() throws Exception {
        state.failByEvent();
        assertThat(calls).isEmpty();
    }

    @Test
    void flushesNothingOfAQueuePairThatIsResetMeanwhile() throws Exception {
        modify(QpState.RTS);
        whileAsked = () -> modify(QpState.RESET);
        state.failByEvent();
        assertThat(calls).containsExactly("query");
    }

    /** The state is then the same as before, but the answer is about the life before the reset. */
    @Test
    void flushesNothingOfAQueuePairThatIsResetAndConnectedMeanwhile() throws Exception {
        modify(QpState.RTS);
        whileAsked = () -> {
            modify(QpState.RESET);
            modify(QpState.RTS);
        };
        state.failByEvent();
        assertThat(calls).containsExactly("query");
    }
}
