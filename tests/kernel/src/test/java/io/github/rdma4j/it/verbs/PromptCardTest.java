// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.it.support.DispatchedPairs.Pair;
import io.github.rdma4j.it.support.Ends;
import io.github.rdma4j.it.support.Loopback;
import io.github.rdma4j.providers.RawConnection;
import io.github.rdma4j.providers.kernel.CardKernel;
import io.github.rdma4j.support.Nightly;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.dispatch.CompletionDispatcher;
import io.github.rdma4j.verbs.dispatch.DispatcherOptions;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The scenarios of objects and buffers on a ConnectX in software that does everything at once. */
class PromptCardTest {
    private final CardBed card = CardBed.prompt();

    @AfterEach
    void closeCard() {
        card.close();
    }

    @Nested
    class MemoryRegions extends MemoryRegionScenarios {
        @Override
        DeviceContext openContext() throws Exception {
            return card.openContext();
        }

        @Override
        Ends connect(UnaryOperator<Loopback.Setup> change) throws Exception {
            return card.connect(change.apply(Loopback.setup()));
        }
    }

    @Nested
    class QueueCreation extends QueueCreationScenarios {
        @Override
        DeviceContext openContext() throws Exception {
            return card.openContext();
        }

        /** The provider computes what the queue needs and knows the limits. */
        @Override
        void assertRefused(ThrowingCallable call) {
            assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class);
        }

        /** A quarter of a gigabyte. */
        @Nightly
        @Test
        @Override
        void makesCompletionQueuesUpToTheLimitOfTheDevice() throws Exception {
            super.makesCompletionQueuesUpToTheLimitOfTheDevice();
        }
    }

    @Nested
    class UseAfterClose extends VerbsUseAfterCloseScenarios {
        @Override
        DeviceContext openContext() throws Exception {
            return card.openContext();
        }
    }

    @Nested
    @SuppressWarnings("NullAway.Init") // each test opens the device first
    class RegisteredBuffers extends RegisteredBuffersScenarios {
        private DeviceContext context;
        private CompletionDispatcher dispatcher;
        private ProtectionDomain pd;

        @Override
        void openDevice(DispatcherOptions options) throws Exception {
            context = card.openContext();
            dispatcher = CompletionDispatcher.open(context, options);
            pd = context.allocatePd();
        }

        @Override
        CompletionDispatcher dispatcher() {
            return dispatcher;
        }

        @Override
        ProtectionDomain pd() {
            return pd;
        }

        @Override
        Pair connect(UnaryOperator<QueuePairOptions.Builder> change) throws Exception {
            QueuePairOptions options = change.apply(QueuePairOptions.builder().cq(dispatcher.completionQueue()))
                    .build();
            QueuePair client = pd.createQp(options);
            QueuePair server = pd.createQp(options);
            RawConnection.connect(client, server, CardKernel.WAY);
            return new Pair(dispatcher.attach(client), dispatcher.attach(server));
        }

        @Override
        void closeDevice() throws Exception {
            context.close();
        }
    }
}
