// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import io.github.rdma4j.kernel.ClosedWhileWaitingException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.umad.LocalPort;
import io.github.rdma4j.umad.MadAddress;
import io.github.rdma4j.umad.MadTransport;
import io.github.rdma4j.umad.ReceivedMad;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.LinkLayer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A client of ibsim(8) at one port of the simulated fabric: management datagrams in UDP.
 *
 * <pre>{@code
 *  0  destination LID, big-endian, two bytes
 *  4  source LID, two bytes; 0: the simulator knows
 *  8  destination queue pair, big-endian
 * 12  source queue pair
 * 16  status: 0, or 110 when the MAD could not be delivered and came back
 * 24  length of the MAD, eight bytes
 * 32  the MAD, 256 bytes
 * }</pre>
 *
 * <p>There is no RMPP in the simulator: what does not fit into one MAD is cut off by it.
 */
final class IbsimTransport implements MadTransport {
    private static final int SOURCE_LID = 4;
    private static final int DESTINATION_QPN = 8;
    private static final int SOURCE_QPN = 12;
    private static final int STATUS = 16;
    private static final int LENGTH = 24;
    private static final int MAD = 32;
    private static final int MAD_BYTES = 256;
    private static final int BYTES = MAD + MAD_BYTES;

    private static final int GID_PREFIX = 8;
    private static final int LID = 16;
    private static final int SM_LID = 18;
    private static final int PORT_NUMBER = 28;
    private static final int STATE = 32;
    private static final int LMC = 34;
    private static final int MTU_AND_SM_SL = 36;
    private static final int NODE_GUID = 12;
    private static final int PKEYS = 32;

    private final String adapter;
    private final IbsimControl control;
    private final DatagramChannel channel;
    private final Selector selector;
    private volatile boolean closed;

    private IbsimTransport(String adapter, IbsimControl control, DatagramChannel channel) throws IOException {
        this.adapter = adapter;
        this.control = control;
        this.channel = channel;
        selector = Selector.open();
        channel.configureBlocking(false);
        channel.register(selector, SelectionKey.OP_READ);
    }

    static IbsimTransport connect(InetSocketAddress server, String adapter, boolean requests) throws IOException {
        DatagramChannel channel =
                DatagramChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        IbsimControl control = new IbsimControl(server);
        int local = ((InetSocketAddress) channel.getLocalAddress()).getPort();
        int index = control.connect(local, adapter, requests);
        channel.connect(new InetSocketAddress(server.getAddress(), server.getPort() + 1 + index));
        return new IbsimTransport(adapter, control, channel);
    }

    @Override
    public LocalPort port() throws RdmaException {
        requireNotClosedWhileWaiting();
        try {
            ByteBuffer info = control.portInfo();
            int number = info.get(PORT_NUMBER);
            return new LocalPort(
                    adapter,
                    number,
                    info.get(STATE) & 0xf,
                    LinkLayer.INFINIBAND,
                    Short.toUnsignedInt(info.getShort(LID)),
                    info.get(LMC) & 7,
                    Short.toUnsignedInt(info.getShort(SM_LID)),
                    info.get(MTU_AND_SM_SL) & 0xf,
                    new Gid(info.getLong(GID_PREFIX), control.nodeInfo().getLong(NODE_GUID) + number),
                    pkeys());
        } catch (IOException e) {
            throw new RdmaException("no word from ibsim about " + adapter, e);
        }
    }

    private List<Integer> pkeys() throws IOException {
        ByteBuffer table = control.pkeys();
        List<Integer> pkeys = new ArrayList<>();
        for (int i = 0; i < PKEYS; i++) {
            pkeys.add(Short.toUnsignedInt(table.getShort(i * Short.BYTES)));
        }
        return pkeys;
    }

    @Override
    public void send(MadAddress to, ByteBuffer mad, Duration timeout, int retries) throws RdmaException {
        requireOpen();
        ByteBuffer message = ByteBuffer.allocate(BYTES);
        message.putShort(0, (short) to.lid());
        message.putInt(DESTINATION_QPN, to.qpn());
        message.putInt(SOURCE_QPN, MadAddress.GSI_QPN);
        message.putLong(LENGTH, MAD_BYTES);
        message.put(MAD, mad, mad.position(), mad.remaining());
        try {
            channel.write(message);
        } catch (IOException e) {
            throw new RdmaException("ibsim takes nothing from " + adapter, e);
        }
    }

    @Override
    public Optional<ReceivedMad> receive(Duration timeout, int maxBytes) throws RdmaException, InterruptedException {
        long end = System.nanoTime() + timeout.toNanos();
        try {
            while (true) {
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                requireNotClosedWhileWaiting();
                ByteBuffer message = ByteBuffer.allocate(BYTES);
                if (channel.read(message) > 0) {
                    return Optional.of(received(message));
                }
                long left = Duration.ofNanos(end - System.nanoTime()).toMillis();
                if (end - System.nanoTime() <= 0) {
                    return Optional.empty();
                }
                selector.select(left + 1);
                selector.selectedKeys().clear();
            }
        } catch (ClosedSelectorException e) {
            throw new ClosedWhileWaitingException(toString());
        } catch (IOException e) {
            requireNotClosedWhileWaiting();
            throw new RdmaException("ibsim is gone", e);
        }
    }

    private static ReceivedMad received(ByteBuffer message) {
        MadAddress from = new MadAddress(
                Short.toUnsignedInt(message.getShort(SOURCE_LID)),
                0,
                message.getInt(SOURCE_QPN),
                MadAddress.GSI_QKEY,
                0,
                Optional.empty());
        int length = (int) Math.min(message.getLong(LENGTH), MAD_BYTES);
        return new ReceivedMad(message.getInt(STATUS), from, message.slice(MAD, length));
    }

    /** What comes is all there is. */
    @Override
    public boolean reassembles() {
        return true;
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException(this + " is closed");
        }
    }

    private void requireNotClosedWhileWaiting() throws ClosedWhileWaitingException {
        if (closed) {
            throw new ClosedWhileWaitingException(toString());
        }
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        control.close();
        try {
            selector.close();
            channel.close();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public String toString() {
        return "ibsim client at " + adapter;
    }
}
