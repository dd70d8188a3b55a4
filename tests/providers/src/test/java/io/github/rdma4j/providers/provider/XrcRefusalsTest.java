// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.providers.RawConnection;
import io.github.rdma4j.providers.kernel.CardKernel;
import io.github.rdma4j.providers.kernel.Mlx5Settings;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.SharedReceiveQueueOptions;
import io.github.rdma4j.verbs.XrcDomain;
import io.github.rdma4j.verbs.attr.QpAttr;
import io.github.rdma4j.verbs.attr.QpState;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What does not go together in XRC is refused before the kernel or the device sees it, and the error says what does. */
@Timeout(60)
class XrcRefusalsTest {
    private final CardKernel kernel = new CardKernel(new Mlx5Settings());
    private XrcEnd end;

    @BeforeEach
    void open() throws RdmaException {
        end = new XrcEnd(kernel);
    }

    @AfterEach
    void close() throws RdmaException {
        end.close();
        kernel.assertClean();
    }

    record Wrong(String message, Attempt attempt) {
        interface Attempt {
            void make(XrcEnd end, XrcDomain xrcd) throws RdmaException;
        }

        @Override
        public String toString() {
            return message;
        }
    }

    static Stream<Wrong> wrong() {
        return Stream.of(
                new Wrong(
                        "call XrcDomain.createQp()",
                        (end, xrcd) -> end.pd()
                                .createQp(QueuePairOptions.builder()
                                        .type(QueuePairType.XRC_TGT)
                                        .cq(end.cq())
                                        .build())),
                new Wrong(
                        "belongs to an XRC domain: only target queue pairs",
                        (end, xrcd) -> end.pd()
                                .createQp(QueuePairOptions.builder()
                                        .cq(end.cq())
                                        .srq(end.shared(xrcd))
                                        .build())),
                new Wrong(
                        "of type XRC_INI receives nothing",
                        (end, xrcd) -> end.pd()
                                .createQp(end.initiatorOptions()
                                        .srq(end.pd().createSrq(SharedReceiveQueueOptions.DEFAULT))
                                        .build())),
                new Wrong("needs a shared receive queue of the peer: call toSrq(number)", (end, xrcd) -> {
                    QueuePair initiator = end.connectedTo(xrcd.createQp());
                    initiator.postSend(new SendWorkRequest(1).send());
                }),
                new Wrong("has type RC, which does not support toSrq", (end, xrcd) -> {
                    QueuePairOptions options =
                            QueuePairOptions.builder().cq(end.cq()).maxInline(8).build();
                    QueuePair one = end.pd().createQp(options);
                    RawConnection.connect(one, end.pd().createQp(options).qpn(), CardKernel.WAY);
                    one.postSend(end.send(1, 1));
                }),
                new Wrong("0 to 16777215", (end, xrcd) -> end.send(1, 1 << 24)),
                new Wrong("0 to 16777215", (end, xrcd) -> end.send(1, -1)));
    }

    @ParameterizedTest
    @MethodSource("wrong")
    void saysWhatIsWrong(Wrong wrong) throws Exception {
        XrcDomain xrcd = XrcDomain.open(end.context());
        assertThatThrownBy(() -> wrong.attempt().make(end, xrcd))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(wrong.message());
    }

    @Test
    void nothingIsPostedToTheWrongQueue() throws Exception {
        XrcDomain xrcd = XrcDomain.open(end.context());
        QueuePair target = xrcd.createQp();
        QueuePair initiator = end.connectedTo(target);
        target.modify(QpAttr.builder().state(QpState.RTS).sqPsn(1).timeout(14).build());
        assertThatThrownBy(() -> target.postSend(end.send(1, 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("has type XRC_TGT, which does not support this operation: send");
        assertThatThrownBy(() -> target.postReceive(end.receive(1)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("post receives to a shared receive queue");
        assertThatThrownBy(() -> initiator.postReceive(end.receive(1)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("post receives to a shared receive queue");
        assertThat(target.capacities().maxSendWr()).isZero();
        assertThat(initiator.capacities().maxReceiveWr()).isZero();
    }

    @Test
    void queuesAndDomainsAreOfOneDevice() throws Exception {
        try (XrcEnd other = new XrcEnd(kernel)) {
            XrcDomain xrcd = XrcDomain.open(end.context());
            assertThatThrownBy(() -> xrcd.createSrq(other.pd(), end.cq(), SharedReceiveQueueOptions.DEFAULT))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("another device context");
            assertThatThrownBy(() -> xrcd.createSrq(end.pd(), other.cq(), SharedReceiveQueueOptions.DEFAULT))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("another device context");
        }
    }
}
