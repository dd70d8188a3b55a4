// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.nio;

import io.github.rdma4j.internal.nio.Rules;
import io.github.rdma4j.internal.nio.StreamProvider;
import java.io.IOException;
import java.net.ProtocolFamily;
import java.nio.channels.Channel;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import org.jspecify.annotations.Nullable;

/**
 * Makes the channels and selectors of {@code java.nio.channels} use RDMA where they can, and TCP elsewhere. A program
 * uses it without a change, when Java is started with
 *
 * <pre>{@code
 * -Djava.nio.channels.spi.SelectorProvider=io.github.rdma4j.nio.RdmaSelectorProvider
 * }</pre>
 *
 * <p>A {@link SocketChannel} connects over RDMA, with the protocol of {@code rsocket(7)}, and over TCP if nobody answers
 * over RDMA within five seconds. A {@link ServerSocketChannel} listens on both, on ports with the same number. Loopback
 * addresses stay with TCP. The property {@code io.github.rdma4j.nio.rules} changes this: it has rules, separated by
 * semicolons, or the path of a file with a rule in each line.
 *
 * <pre>{@code
 * # The first rule that fits counts; ports may be left out.
 * rdma 10.1.0.0/16 9000-9010
 * tcp  * 22
 * # No TCP where RDMA was tried in vain.
 * fallback none
 * # How long a connection that may go over TCP waits for an answer over RDMA.
 * wait 5s
 * # 127.0.0.1 means the device with this address.
 * loopback 10.1.0.7
 * }</pre>
 *
 * <p>Channels over RDMA and over TCP can be in one selector, with pipes, and with the channels of datagrams and of Unix
 * domains, which have nothing to do with RDMA. Channels that were made by another provider cannot.
 */
public final class RdmaSelectorProvider extends SelectorProvider {
    private final @Nullable StreamProvider made;
    private final @Nullable IllegalArgumentException wrong;

    /**
     * Creates a provider with the rules of the property {@code io.github.rdma4j.nio.rules}. If a rule is wrong, each method
     * that opens something throws an {@link IllegalArgumentException} that names the line, and what it may be.
     */
    public RdmaSelectorProvider() {
        StreamProvider provider = null;
        IllegalArgumentException mistake = null;
        try {
            provider = new StreamProvider(Rules.ofProperty(), this);
        } catch (IllegalArgumentException e) {
            // From here, the JDK would make an Error without a message of it.
            mistake = e;
        }
        made = provider;
        wrong = mistake;
    }

    StreamProvider made() {
        StreamProvider provider = made;
        if (provider == null) {
            throw new IllegalArgumentException(wrong == null ? "" : wrong.getMessage(), wrong);
        }
        return provider;
    }

    @Override
    public SocketChannel openSocketChannel() throws IOException {
        return made().openSocketChannel();
    }

    @Override
    public SocketChannel openSocketChannel(ProtocolFamily family) throws IOException {
        return made().openSocketChannel(family);
    }

    @Override
    public ServerSocketChannel openServerSocketChannel() throws IOException {
        return made().openServerSocketChannel();
    }

    @Override
    public ServerSocketChannel openServerSocketChannel(ProtocolFamily family) throws IOException {
        return made().openServerSocketChannel(family);
    }

    @Override
    public AbstractSelector openSelector() throws IOException {
        return made().openSelector();
    }

    @Override
    public @Nullable Channel inheritedChannel() throws IOException {
        return made().inheritedChannel();
    }

    @Override
    public Pipe openPipe() throws IOException {
        return made().openPipe();
    }

    @Override
    public DatagramChannel openDatagramChannel() throws IOException {
        return made().openDatagramChannel();
    }

    @Override
    public DatagramChannel openDatagramChannel(ProtocolFamily family) throws IOException {
        return made().openDatagramChannel(family);
    }

    @Override
    public String toString() {
        return "RdmaSelectorProvider[" + (made == null ? wrong : made) + "]";
    }
}
