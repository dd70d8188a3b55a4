// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.disni;

import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaConnParam;
import com.ibm.disni.verbs.RdmaEventChannel;
import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.internal.memory.NativeMemory;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An event, with the status and the parameters that libdisni leaves out. */
final class Event extends RdmaCmEvent {
    private static final System.Logger LOG = System.getLogger("io.github.rdma4j.disni");

    /** DiSNI's endpoints go on waiting for another event. */
    private static final Set<CmEventType> UNHEARD = EnumSet.of(
            CmEventType.ADDR_ERROR,
            CmEventType.ROUTE_ERROR,
            CmEventType.CONNECT_ERROR,
            CmEventType.UNREACHABLE,
            CmEventType.REJECTED);

    private final CmEvent source;
    private @Nullable Received received;

    private Event(int number, @Nullable RdmaCmId listener, @Nullable RdmaCmId id, CmEvent event) throws IOException {
        super(number, listener, id);
        this.source = event;
        this.status = event.failure().map(Event::number).orElse(event.status());
    }

    /** The event is acknowledged already, as by libdisni. */
    static Event of(CmEvent event, RdmaEventChannel channel) throws IOException {
        try (event) {
            RdmaCmId id = (RdmaCmId) event.id().attachment();
            if (event.type() == CmEventType.CONNECT_REQUEST) {
                id = new Handles.Id(event.id(), channel);
            } else if (event.type() == CmEventType.DEVICE_REMOVAL && event.id().hasDevice()) {
                Handles.Context.removed(event.id().context());
            }
            RdmaCmId listener =
                    event.listener().map(each -> (RdmaCmId) each.attachment()).orElse(null);
            if (UNHEARD.contains(event.type())) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "{0}: there is no connection; RdmaEndpoint of DiSNI does not tell the thread that waits for it",
                        event);
            }
            int number = event.type() == CmEventType.UNKNOWN
                    ? event.rawType()
                    : event.type().code();
            return new Event(number, listener, id, event);
        }
    }

    private static int number(RdmaException failure) {
        Errno errno = failure instanceof ErrnoException e ? e.errno() : Errno.EIO;
        return -errno.number();
    }

    /** What the peer has sent. The address of the private data is good as long as the event is reachable. */
    @Override
    public RdmaConnParam getConn() {
        if (received == null) {
            received = new Received(source);
        }
        return received;
    }

    private static final class Received extends RdmaConnParam {
        /** Keeps the memory at the address. */
        @SuppressWarnings("UnusedVariable")
        private final ByteBuffer data;

        Received(CmEvent event) {
            byte[] bytes = event.privateData();
            data = ByteBuffer.allocateDirect(Math.max(1, bytes.length)).put(bytes);
            private_data_addr = bytes.length == 0 ? 0 : NativeMemory.address(data);
            private_data_len = (byte) bytes.length;
            event.connectionParameters().ifPresent(this::take);
        }

        private void take(ConnectionParameters parameters) {
            responder_resources = (byte) parameters.responderResources();
            initiator_depth = (byte) parameters.initiatorDepth();
            flow_control = (byte) (parameters.flowControl() ? 1 : 0);
            retry_count = (byte) parameters.retryCount();
            rnr_retry_count = (byte) parameters.rnrRetryCount();
            srq = (byte) (parameters.sharedReceiveQueue() ? 1 : 0);
            qp_num = parameters.qpNumber();
        }
    }
}
