// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import io.github.rdma4j.it.support.Datagrams;
import io.github.rdma4j.it.support.Ends;
import io.github.rdma4j.it.support.Loopback;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The scenarios that a RoCE device passes whose queue pairs have the types RC and UD only. */
abstract class RcAndUdCardScenarios extends CardScenarios {
    /** The largest inline data of the device, in bytes. */
    abstract int mostInline();

    @Nested
    class DataPath extends DataPathScenarios {
        @Override
        Ends connect(UnaryOperator<Loopback.Setup> change) throws Exception {
            return connectOnCard(change);
        }

        /** The device takes no more. */
        @Override
        int inlineBytes() {
            return mostInline();
        }
    }

    @Nested
    class Datagram extends DatagramScenarios {
        @Override
        Datagrams openDevice() throws Exception {
            return card.device();
        }

        /** The device has no unreliable connected queue pairs. */
        @Override
        @ParameterizedTest
        @EnumSource(names = {"RC", "UD"})
        void makesQueuePairsOfEachType(QueuePairType type) throws Exception {
            super.makesQueuePairsOfEachType(type);
        }
    }

    @Nested
    class ErrorCompletion extends ErrorCompletionScenarios {
        @Override
        Ends connect(UnaryOperator<Loopback.Setup> change) throws Exception {
            return connectOnCard(change);
        }
    }

    @Nested
    class Resizing extends ResizingScenarios {
        @Override
        Ends connect(UnaryOperator<Loopback.Setup> change) throws Exception {
            return connectOnCard(change);
        }
    }
}
