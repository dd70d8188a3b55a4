// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit.model;

import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.internal.ucm.ConnParam;
import io.github.rdma4j.internal.ucm.UdParam;
import io.github.rdma4j.internal.uverbs.AhAttrBytes;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * An event that is ready to be fetched.
 *
 * @param to the id of the event
 * @param child the new id of a connect request
 * @param type the event type
 * @param status the status as the kernel reports it
 * @param param the union of {@code struct rdma_ucm_event_resp}
 */
@SuppressWarnings({"ArrayRecordComponent", "ByteBufferBackingArray"}) // never compared; the buffers are allocated here
record ModelEvent(ModelId to, @Nullable ModelId child, CmEventType type, int status, byte[] param) {
    /** The size of the union in bytes. */
    static final int PARAM_BYTES = UdParam.BYTES;

    private static final int UDP_QKEY = 0x01234567;

    static ModelEvent of(ModelId to, CmEventType type, int status) {
        return new ModelEvent(to, null, type, status, new byte[PARAM_BYTES]);
    }

    /** Returns an event with the values sent by the peer. Private data is padded to the size in the message. */
    static ModelEvent saying(ModelId to, CmEventType type, int status, ModelId from, int room) {
        return new ModelEvent(to, null, type, status, to.isDatagram() ? datagram(from, room) : connected(from, room));
    }

    /** Returns the event of a connect request. */
    static ModelEvent request(ModelId listener, ModelId child, CmEventType type, ModelId from, int room) {
        byte[] param = listener.isDatagram() ? datagram(from, room) : connected(from, room);
        return new ModelEvent(listener, child, type, 0, param);
    }

    /** Returns the event of a rejection, whose only parameter is private data. */
    static ModelEvent rejection(ModelId to, CmEventType type, int status, byte[] privateData, int room) {
        ByteBuffer param = empty();
        param.put(ConnParam.PRIVATE_DATA, privateData).put(ConnParam.PRIVATE_DATA_LEN, (byte) room);
        return new ModelEvent(to, null, type, status, param.array());
    }

    private static ByteBuffer empty() {
        return ByteBuffer.allocate(PARAM_BYTES).order(ByteOrder.nativeOrder());
    }

    /** Returns the parameters for the peer of {@code from}, with the values that {@code from} requested. */
    private static byte[] connected(ModelId from, int room) {
        ByteBuffer said = ByteBuffer.wrap(from.said).order(ByteOrder.nativeOrder());
        ByteBuffer param = empty();
        param.putInt(ConnParam.QP_NUM, said.getInt(ConnParam.QP_NUM));
        copyPrivateData(said, param, ConnParam.PRIVATE_DATA, room);
        param.put(ConnParam.PRIVATE_DATA_LEN, (byte) room)
                .put(ConnParam.SRQ, said.get(ConnParam.SRQ))
                .put(ConnParam.RESPONDER_RESOURCES, said.get(ConnParam.INITIATOR_DEPTH))
                .put(ConnParam.INITIATOR_DEPTH, said.get(ConnParam.RESPONDER_RESOURCES))
                .put(ConnParam.FLOW_CONTROL, said.get(ConnParam.FLOW_CONTROL))
                .put(ConnParam.RETRY_COUNT, said.get(ConnParam.RETRY_COUNT))
                .put(ConnParam.RNR_RETRY_COUNT, said.get(ConnParam.RNR_RETRY_COUNT));
        return param.array();
    }

    private static byte[] datagram(ModelId from, int room) {
        ByteBuffer said = ByteBuffer.wrap(from.said).order(ByteOrder.nativeOrder());
        ByteBuffer param = empty();
        param.putInt(UdParam.QP_NUM, said.getInt(ConnParam.QP_NUM)).putInt(UdParam.QKEY, UDP_QKEY);
        int address = UdParam.AH_ATTR;
        InetAddress own = from.requireLocal().getAddress();
        ModelDevice.putGid(param, address + AhAttrBytes.DGID, own);
        param.put(address + AhAttrBytes.IS_GLOBAL, (byte) 1)
                .put(address + AhAttrBytes.PORT_NUM, (byte) ModelDevice.PORT)
                .put(address + AhAttrBytes.SGID_INDEX, ModelDevice.gidIndex(own));
        copyPrivateData(said, param, UdParam.PRIVATE_DATA, room);
        param.put(UdParam.PRIVATE_DATA_LEN, (byte) room);
        return param.array();
    }

    private static void copyPrivateData(ByteBuffer said, ByteBuffer param, int to, int room) {
        byte[] data = new byte[room];
        said.get(ConnParam.PRIVATE_DATA, data);
        param.put(to, data);
    }
}
