// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import java.nio.channels.spi.SelectorProvider;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Every scenario with the channels and sockets of this project, and with the JDK's, so that the scenarios are true. */
@ParameterizedClass
@EnumSource
class EitherProviderTest {
    private final Subject of;

    EitherProviderTest(Subject of) {
        this.of = of;
    }

    /** Whose channels and sockets. */
    @SuppressWarnings("ImmutableEnumChecker") // providers, of which there is one each
    enum Subject {
        THE_JDK(SelectorProvider.provider(), PlainPairScenarios.Kind.JDK),
        THIS_PROJECT(new StreamProvider(Rules.parse("a test", "tcp *"), null));

        private final SelectorProvider provider;
        private final PlainPairScenarios.Kind sockets;

        Subject(SelectorProvider provider, PlainPairScenarios.Kind sockets) {
            this.provider = provider;
            this.sockets = sockets;
        }

        Subject(StreamProvider ours) {
            this(ours, PlainPairScenarios.Kind.of(ours));
        }
    }

    @Nested
    class Datagrams extends DatagramScenarios {
        Datagrams() {
            super(of.provider);
        }
    }

    @Nested
    class Ends extends EndScenarios {
        Ends() {
            super(of.provider, Pair.loopback());
        }
    }

    @Nested
    class Groups extends GroupScenarios {
        Groups() {
            super(of.provider);
        }
    }

    @Nested
    class Pipes extends PipeScenarios {
        Pipes() {
            super(of.provider);
        }
    }

    @Nested
    class PlainEnds extends PlainEndScenarios {
        PlainEnds() {
            super(of.sockets, Pair.loopback());
        }
    }

    @Nested
    class PlainSockets extends PlainSocketScenarios {
        PlainSockets() {
            super(of.sockets, Pair.loopback());
        }
    }

    @Nested
    @EnabledForJreRange(min = JRE.JAVA_21)
    class PlainVirtual extends PlainVirtualScenarios {
        PlainVirtual() {
            super(of.sockets, Pair.loopback());
        }
    }

    @Nested
    class Selectors extends SelectorScenarios {
        Selectors() {
            super(of.provider, Pair.loopback());
        }
    }

    @Nested
    class SocketChannels extends SocketChannelScenarios {
        SocketChannels() {
            super(of.provider, Pair.loopback());
        }
    }

    @Nested
    class Sockets extends SocketScenarios {
        Sockets() {
            super(of.provider, Pair.loopback());
        }
    }

    @Nested
    class Unconnected extends UnconnectedScenarios {
        Unconnected() {
            super(of.provider, Pair.loopback());
        }
    }

    @Nested
    class Unix extends UnixScenarios {
        Unix() {
            super(of.provider);
        }
    }
}
