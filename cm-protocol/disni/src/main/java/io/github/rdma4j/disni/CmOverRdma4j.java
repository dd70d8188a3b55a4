// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.disni;

import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvQPInitAttr;
import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaConnParam;
import com.ibm.disni.verbs.RdmaEventChannel;
import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.internal.memory.NativeMemory;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.verbs.QueuePairOptions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The connection manager of DiSNI over that of rdma4j. */
public final class CmOverRdma4j extends RdmaCm {
    /** How many pieces of memory a request of libdisni's queue pairs has, whatever the program asks for. */
    private static final int MAX_SGE = 4;

    private static final InetSocketAddress NO_ADDRESS = new InetSocketAddress("0.0.0.0", 0);

    @Override
    public RdmaEventChannel createEventChannel() throws IOException {
        return new Handles.Channel(EventChannel.open());
    }

    /** Makes an id for connections, as libdisni does, whatever the port space is. */
    @Override
    public RdmaCmId createId(RdmaEventChannel channel, short portSpace) throws IOException {
        Failures.requireOpen(channel.isOpen(), "the event channel");
        EventChannel events = ((Handles.Channel) channel).channel;
        return Failures.asIo("rdma_create_id", () -> new Handles.Id(events.createId(PortSpace.TCP), channel));
    }

    private static Handles.Id open(RdmaCmId id) throws IOException {
        Failures.requireOpen(id.isOpen(), "the id");
        return (Handles.Id) id;
    }

    @Override
    public IbvQP createQP(RdmaCmId id, IbvPd pd, IbvQPInitAttr attributes) throws IOException {
        Handles.Id to = open(id);
        Handles.Pd domain = (Handles.Pd) pd;
        Handles.Cq send = (Handles.Cq) attributes.getSend_cq();
        Handles.Cq receive = (Handles.Cq) attributes.getRecv_cq();
        if (domain == null || send == null || receive == null) {
            throw new IOException("a queue pair needs a protection domain and two completion queues, which may be one");
        }
        Failures.requireOpen(domain.isOpen(), "the protection domain");
        Failures.requireOpen(send.isOpen() && receive.isOpen(), "the completion queue");
        if (attributes.getQp_type() != IbvQP.IBV_QPT_RC) {
            throw new IOException("a queue pair of type " + attributes.getQp_type() + " for an id of type IBV_QPT_RC");
        }
        Handles.Qp made = Failures.asIo(
                "rdma_create_qp",
                () -> new Handles.Qp(
                        to.id.createQp(domain.pd, options(attributes, send, receive)), domain, send, receive));
        to.queuePair(made);
        return made;
    }

    private static QueuePairOptions options(IbvQPInitAttr attributes, Handles.Cq send, Handles.Cq receive) {
        return QueuePairOptions.builder()
                .sendCq(send.cq)
                .receiveCq(receive.cq)
                .maxSendWr(attributes.cap().getMax_send_wr())
                .maxReceiveWr(attributes.cap().getMax_recv_wr())
                .maxSendSge(MAX_SGE)
                .maxReceiveSge(MAX_SGE)
                .maxInline(attributes.cap().getMax_inline_data())
                .build();
    }

    @Override
    public void bindAddr(RdmaCmId id, SocketAddress address) throws IOException {
        Handles.Id to = open(id);
        Failures.asIo("rdma_bind_addr", () -> to.id.bind(address));
    }

    /** A backlog of 0 or less is the kernel's maximum. */
    @Override
    public void listen(RdmaCmId id, int backlog) throws IOException {
        Handles.Id to = open(id);
        Failures.asIo("rdma_listen", () -> to.id.listen(Math.max(0, backlog)));
    }

    /** Ignores {@code source}, as libdisni does. */
    @Override
    public void resolveAddr(RdmaCmId id, @Nullable SocketAddress source, SocketAddress destination, int timeout)
            throws IOException {
        Handles.Id to = open(id);
        Failures.asIo("rdma_resolve_addr", () -> to.id.resolveAddress(destination, Duration.ofMillis(timeout)));
    }

    @Override
    public void resolveRoute(RdmaCmId id, int timeout) throws IOException {
        Handles.Id to = open(id);
        Failures.asIo("rdma_resolve_route", () -> to.id.resolveRoute(Duration.ofMillis(timeout)));
    }

    /** The next event; null when {@code timeout} milliseconds have passed. A negative time is no limit. */
    @Override
    public @Nullable RdmaCmEvent getCmEvent(RdmaEventChannel channel, int timeout) throws IOException {
        Failures.requireOpen(channel.isOpen(), "the event channel");
        EventChannel events = ((Handles.Channel) channel).channel;
        Optional<CmEvent> next =
                Failures.asIo("rdma_get_cm_event", () -> events.awaitEventUninterruptibly(Waits.millis(timeout)));
        return next.isPresent() ? Event.of(next.get(), channel) : null;
    }

    @Override
    public void connect(RdmaCmId id, RdmaConnParam parameters) throws IOException {
        Handles.Id to = open(id);
        Failures.asIo(
                "rdma_connect",
                () -> to.id.connect(
                        common(parameters).privateData(privateData(parameters)).build()));
    }

    /** Ignores private data, as libdisni does: endpoint groups have the same parameters for both sides. */
    @Override
    public void accept(RdmaCmId id, RdmaConnParam parameters) throws IOException {
        Handles.Id to = open(id);
        Failures.asIo("rdma_accept", () -> to.id.accept(common(parameters).build()));
    }

    /** RDMA reads as many as possible, as libdisni does. */
    private static ConnectionParameters.Builder common(RdmaConnParam parameters) {
        return ConnectionParameters.builder()
                .retryCount(Retries.of(parameters.getRetry_count()))
                .rnrRetryCount(Retries.of(parameters.getRnr_retry_count()));
    }

    private static byte[] privateData(RdmaConnParam parameters) {
        byte[] data = new byte[Byte.toUnsignedInt(parameters.getPrivate_data_len())];
        if (data.length > 0) {
            if (parameters.getPrivate_data() == 0) {
                throw new IllegalArgumentException(data.length + " bytes of private data at the address 0");
            }
            NativeMemory.view(parameters.getPrivate_data(), data.length).get(data);
        }
        return data;
    }

    /** Does nothing: {@link #getCmEvent} has acknowledged the event. */
    @Override
    public int ackCmEvent(RdmaCmEvent event) {
        return 0;
    }

    /** -1 when the kernel, or the state of the id, refuses. */
    @Override
    public int disconnect(RdmaCmId id) throws IOException {
        Handles.Id to = open(id);
        try {
            to.id.disconnect();
            return 0;
        } catch (ErrnoException | IllegalStateException e) {
            return -1;
        }
    }

    /** Closes the ids of the channel along. */
    @Override
    public int destroyEventChannel(RdmaEventChannel channel) throws IOException {
        Failures.requireOpen(channel.isOpen(), "the event channel");
        channel.close();
        ((Handles.Channel) channel).channel.close();
        return 0;
    }

    /** Destroys the queue pair of the id along. */
    @Override
    public int destroyCmId(RdmaCmId id) throws IOException {
        Handles.Id to = open(id);
        to.close();
        to.id.close();
        return 0;
    }

    @Override
    public int destroyQP(RdmaCmId id) throws IOException {
        Handles.Id to = open(id);
        @Nullable IbvQP qp = to.getQp();
        if (qp == null) {
            throw new IOException("the id has no queue pair");
        }
        Failures.requireOpen(qp.isOpen(), "the queue pair");
        qp.close();
        to.id.queues().close();
        return 0;
    }

    /** The address 0.0.0.0 and the port 0 before the id has others. */
    @Override
    public SocketAddress getSrcAddr(RdmaCmId id) throws IOException {
        return open(id).id.localAddress().orElse(NO_ADDRESS);
    }

    /** The address 0.0.0.0 and the port 0 before the id has a peer. */
    @Override
    public SocketAddress getDstAddr(RdmaCmId id) throws IOException {
        return open(id).id.peerAddress().orElse(NO_ADDRESS);
    }

    @Override
    public int destroyEp(RdmaCmId id) throws IOException {
        return destroyCmId(id);
    }
}
