// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.nio;

import io.github.rdma4j.internal.nio.EndScenarios;
import io.github.rdma4j.internal.nio.PlainEndScenarios;
import io.github.rdma4j.internal.nio.PlainSocketScenarios;
import io.github.rdma4j.internal.nio.PlainVirtualScenarios;
import io.github.rdma4j.internal.nio.SelectorScenarios;
import io.github.rdma4j.internal.nio.SharedStreamScenarios;
import io.github.rdma4j.internal.nio.SocketChannelScenarios;
import io.github.rdma4j.internal.nio.SocketScenarios;
import io.github.rdma4j.internal.nio.UnconnectedScenarios;
import io.github.rdma4j.it.support.RequiresKernel;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** What the JDK's channels and plain sockets do over TCP, over soft-RoCE. */
@RequiresKernel
class NioScenariosKernelIT {
    @Nested
    class Ends extends EndScenarios {
        Ends() {
            super(OverRdma.PROVIDER, OverRdma.HOST);
        }
    }

    @Nested
    class PlainEnds extends PlainEndScenarios {
        PlainEnds() {
            super(OverRdma.SOCKETS, OverRdma.HOST);
        }
    }

    @Nested
    class PlainSockets extends PlainSocketScenarios {
        PlainSockets() {
            super(OverRdma.SOCKETS, OverRdma.HOST);
        }

        @Override
        protected boolean hasUrgentData() {
            return false;
        }
    }

    @Nested
    @EnabledForJreRange(min = JRE.JAVA_21)
    class PlainVirtual extends PlainVirtualScenarios {
        PlainVirtual() {
            super(OverRdma.SOCKETS, OverRdma.HOST);
        }
    }

    @Nested
    class Selectors extends SelectorScenarios {
        Selectors() {
            super(OverRdma.PROVIDER, OverRdma.HOST);
        }
    }

    @Nested
    class SharedStreams extends SharedStreamScenarios {
        SharedStreams() {
            super(OverRdma.PROVIDER, OverRdma.HOST);
        }
    }

    @Nested
    class SocketChannels extends SocketChannelScenarios {
        SocketChannels() {
            super(OverRdma.PROVIDER, OverRdma.HOST);
        }
    }

    @Nested
    class Sockets extends SocketScenarios {
        Sockets() {
            super(OverRdma.PROVIDER, OverRdma.HOST);
        }

        @Override
        protected boolean hasUrgentData() {
            return false;
        }
    }

    @Nested
    class Unconnected extends UnconnectedScenarios {
        Unconnected() {
            super(OverRdma.PROVIDER, OverRdma.HOST);
        }
    }
}
