// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

import io.github.rdma4j.internal.abi.KernelStruct;
import io.github.rdma4j.internal.ucm.ConnParam.PrivateData;
import io.github.rdma4j.internal.uverbs.AhAttrBytes;
import io.github.rdma4j.verbs.attr.AhAttr;
import java.nio.ByteBuffer;

/** The peer or the group of a datagram id, as reported by events. */
@KernelStruct(value = "struct rdma_ucm_ud_param", header = "rdma/rdma_user_cm.h")
@SuppressWarnings("ArrayRecordComponent") // copied on input and output, and never compared
public record UdParam(int qpNum, int qkey, AhAttr ahAttr, byte[] privateData) implements EventParam {
    public static final int QP_NUM = 0; // __u32: 24 bits; 0xffffff for a group
    public static final int QKEY = 4; // __u32
    public static final int AH_ATTR = 8; // struct ib_uverbs_ah_attr
    public static final int PRIVATE_DATA = 40; // __u8[RDMA_MAX_PRIVATE_DATA]: 256 bytes
    public static final int PRIVATE_DATA_LEN = 296; // __u8
    public static final int RESERVED = 297; // __u8[7]
    public static final int BYTES = 304;

    /** Copies the private data. */
    public UdParam {
        privateData = PrivateData.copy(privateData);
    }

    /** Returns a copy. */
    @Override
    public byte[] privateData() {
        return privateData.clone();
    }

    public static UdParam decode(ByteBuffer in, int base) {
        return new UdParam(
                in.getInt(base + QP_NUM),
                in.getInt(base + QKEY),
                AhAttrBytes.decode(in, base + AH_ATTR),
                PrivateData.decode(in, base + PRIVATE_DATA, base + PRIVATE_DATA_LEN));
    }

    @Override
    public String toString() {
        return "UdParam[qpNum=" + qpNum + ", qkey=0x" + Integer.toHexString(qkey) + ", ahAttr=" + ahAttr
                + ", privateData=" + privateData.length + " bytes]";
    }
}
