// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.it.support.Ends;
import io.github.rdma4j.it.support.Loopback;
import io.github.rdma4j.kernel.UnsupportedByKernelException;
import io.github.rdma4j.providers.kernel.IrdmaSettings;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The scenarios of the data path on an E810 and an X722 over iWARP in software, at each {@linkplain CardBed#names pace}. */
@ParameterizedClass
@MethodSource("beds")
class IrdmaOverIwarpCardTest {
    private static final String X722 = "X722 ";
    private static final String E810 = "E810 ";

    @Parameter
    private String bed = "";

    @SuppressWarnings("NullAway.Init") // made before each test
    private CardBed card;

    static Stream<String> beds() {
        List<String> paces = CardBed.names();
        return Stream.of(E810, X722).flatMap(device -> paces.stream().map(device::concat));
    }

    private boolean isX722() {
        return bed.startsWith(X722);
    }

    @BeforeEach
    void openCard() {
        IrdmaSettings settings = isX722() ? new IrdmaSettings().x722() : new IrdmaSettings().iwarp();
        card = CardBed.irdma(settings, bed.substring(E810.length()));
    }

    @AfterEach
    void closeCard() {
        card.close();
    }

    @Nested
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    class CompletionChannel extends CompletionChannelScenarios {
        @Override
        Ends connect(UnaryOperator<Loopback.Setup> change) throws Exception {
            return card.connect(change.apply(Loopback.setup()));
        }
    }

    @Nested
    class ErrorCompletion extends ErrorCompletionScenarios {
        @Override
        Ends connect(UnaryOperator<Loopback.Setup> change) throws Exception {
            return card.connect(change.apply(Loopback.setup()));
        }
    }

    @Nested
    class DataPath extends DataPathScenarios {
        private static final int PIECES_OF_X722 = 3;

        @Override
        Ends connect(UnaryOperator<Loopback.Setup> change) throws Exception {
            Loopback.Setup setup = change.apply(Loopback.setup());
            return card.connect(
                    isX722()
                            ? setup.qp(options -> options.maxSendSge(PIECES_OF_X722)
                                    .maxReceiveSge(PIECES_OF_X722)
                                    .maxInline(inlineBytes()))
                            : setup);
        }

        /** The device takes no more. */
        @Override
        int inlineBytes() {
            return isX722() ? 48 : 101;
        }

        @Override
        @ParameterizedTest
        @ValueSource(ints = {0, -1})
        void sendsANumberAlong(int number) {
            assertThatThrownBy(() -> client().qp()
                            .postSend(new SendWorkRequest(1)
                                    .sendWithImmediate(number)
                                    .add(client().region(), 0, 64)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("iWARP does not have");
        }

        @Override
        @Test
        void writesAndTellsThePeer() throws Exception {
            if (!isX722()) {
                super.writesAndTellsThePeer();
                return;
            }
            assertThatThrownBy(() -> client().qp()
                            .postSend(new SendWorkRequest(1)
                                    .rdmaWriteWithImmediate(
                                            server().region().iova(),
                                            server().region().rkey(),
                                            1)
                                    .add(client().region(), 0, 64)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("X722 does not send");
        }

        @Override
        @Test
        void gathersFourPiecesAndScattersIntoTwo() throws Exception {
            if (!isX722()) {
                super.gathersFourPiecesAndScattersIntoTwo();
                return;
            }
            server().qp()
                    .postReceive(new ReceiveWorkRequest(2)
                            .add(server().region(), 4000, 1500)
                            .add(server().region(), 0, 2000));
            client().qp()
                    .postSend(new SendWorkRequest(3)
                            .signaled()
                            .send()
                            .add(client().region(), 0, 1)
                            .add(client().region(), 3000, 0)
                            .add(client().region(), 5000, 2499));
            assertThat(server().success().byteLength()).isEqualTo(2500);
            client().success();
            assertThat(server().buffer().slice(4000, 1))
                    .isEqualTo(client().buffer().slice(0, 1));
            assertThat(server().buffer().slice(4001, 1499))
                    .isEqualTo(client().buffer().slice(5000, 1499));
            assertThat(server().buffer().slice(0, 1000))
                    .isEqualTo(client().buffer().slice(6499, 1000));
        }
    }

    @Test
    void refusesWhatTheDeviceDoesNotHave() throws Exception {
        try (DeviceContext context = card.openContext()) {
            assertThatThrownBy(() -> context.allocatePd()
                            .createQp(QueuePairOptions.builder()
                                    .cq(context.createCq(10))
                                    .type(QueuePairType.UD)
                                    .build()))
                    .isInstanceOf(UnsupportedByKernelException.class)
                    .hasMessage("the device has reliable connected queue pairs only, because it runs iWARP; no UD");
            assertThatThrownBy(() -> context.createCq(10).resize(20))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("cannot change the capacity");
        }
    }

    @Nested
    class MemoryWindows extends MemoryWindowScenarios {
        @Override
        Ends connect(UnaryOperator<Loopback.Setup> change) throws Exception {
            return card.connect(change.apply(Loopback.setup()));
        }
    }
}
