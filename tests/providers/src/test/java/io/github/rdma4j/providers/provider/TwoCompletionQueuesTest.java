// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.provider;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.providers.RawConnection;
import io.github.rdma4j.providers.kernel.CardKernel;
import io.github.rdma4j.verbs.CompletionChannel;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.QpAttr;
import io.github.rdma4j.verbs.attr.QpState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A queue pair whose sends and receives complete in different queues, and the events of a queue. */
@Timeout(60)
@ParameterizedClass
@EnumSource
class TwoCompletionQueuesTest {
    @Parameter
    private CardKind kind = CardKind.MLX5;

    private final WorkCompletion[] into = WorkCompletion.array(4);
    private CardPair pair;
    private CompletionChannel channel;
    private CompletionQueue sends;
    private CompletionQueue receives;
    private QueuePairOptions options;
    private QueuePair left;
    private QueuePair right;

    @BeforeEach
    void connect() throws RdmaException {
        pair = kind.pair();
        channel = pair.context().createCompletionChannel();
        sends = pair.context().createCq(CardPair.COMPLETIONS);
        receives = pair.context().createCq(CardPair.COMPLETIONS, 0, channel);
        options = QueuePairOptions.builder().sendCq(sends).receiveCq(receives).build();
        left = pair.pd().createQp(options);
        right = pair.pd().createQp(options);
        RawConnection.connect(left, right, CardKernel.WAY);
    }

    @AfterEach
    void close() throws RdmaException {
        pair.close();
    }

    /** A message each way: a completion in both queues for either queue pair. */
    private void exchange() throws RdmaException {
        left.postReceive(pair.receive(11));
        right.postReceive(pair.receive(12));
        left.postSend(pair.send(1));
        right.postSend(pair.send(2));
        pair.settle();
    }

    /** Posts to a queue pair that the device knows nothing of yet: whatever completes there is of a former life. */
    private void postOnceMore(QueuePair qp) throws RdmaException {
        RawConnection.connect(qp, right.qpn(), CardKernel.WAY);
        qp.postReceive(pair.receive(21));
        qp.postSend(pair.send(22));
    }

    private void assertOnly(CompletionQueue cq, long wrId) {
        assertThat(cq.poll(into)).isEqualTo(1);
        assertThat(into[0].wrId()).isEqualTo(wrId);
    }

    @Test
    void theEndOfAQueuePairClearsBoth() throws RdmaException {
        exchange();

        left.close();
        // It takes the place of the former one wherever that was known by a number.
        postOnceMore(pair.pd().createQp(options));

        assertOnly(sends, 2);
        assertOnly(receives, 12);
    }

    @Test
    void aResetClearsBoth() throws RdmaException {
        exchange();

        left.modify(QpAttr.builder().state(QpState.RESET).build());
        postOnceMore(left);

        assertOnly(sends, 2);
        assertOnly(receives, 12);
    }

    @Test
    void aStateOtherThanResetClearsNothing() throws RdmaException {
        exchange();

        left.moveToError();

        assertThat(sends.poll(into)).isEqualTo(2);
        assertThat(receives.poll(into)).isEqualTo(2);
    }

    /** The device takes no request of an event that has the number of an event which has come. */
    @Test
    void anEventCountsBeforeTheNextIsRequested() throws Exception {
        for (int i = 0; i < 9; i++) {
            receives.requestNotification(false);
            exchange();
            assertThat(channel.awaitEvent()).isSameAs(receives);
            assertThat(receives.poll(into)).isEqualTo(2);
            assertThat(sends.poll(into)).isEqualTo(2);
        }
        pair.settle();

        assertThat(pair.kernel().card().completionQueues()).allMatch(cq -> cq.ineffectiveArms() == 0);
    }

    @Test
    void waitingCountsItsEvents() throws Exception {
        for (int i = 0; i < 9; i++) {
            receives.requestNotification(false);
            exchange();
            assertThat(receives.await(into)).isEqualTo(2);
            assertThat(sends.poll(into)).isEqualTo(2);
            assertThat(channel.awaitEvent()).isSameAs(receives);
        }
        pair.settle();

        assertThat(pair.kernel().card().completionQueues()).allMatch(cq -> cq.ineffectiveArms() == 0);
    }
}
