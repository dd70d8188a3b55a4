// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.attr;

import io.github.rdma4j.internal.abi.Codes;
import io.github.rdma4j.internal.abi.KernelConstants;

/**
 * The attributes of a port ({@code struct ibv_port_attr}).
 *
 * <p>The longer reply of {@code UVERBS_METHOD_QUERY_PORT} begins with the same bytes.
 *
 * @param portCapFlags {@code IB_UVERBS_PCF_*}
 * @param maxMsgSz bytes of the longest message; unsigned
 * @param badPkeyCntr packets with a bad partition key
 * @param qkeyViolCntr packets with a bad queue key
 * @param gidTblLen entries of the GID table
 * @param pkeyTblLen entries of the partition key table
 * @param lid local identifier, 0 on Ethernet
 * @param smLid local identifier of the subnet manager
 * @param rawState the kernel's number of {@link #state()}, {@code IBV_PORT_*}
 * @param rawMaxMtu the kernel's number of {@link #maxMtu()}, {@code IBV_MTU_*}
 * @param rawActiveMtu the kernel's number of {@link #activeMtu()}, {@code IBV_MTU_*}
 * @param lmc log2 of the number of local identifiers
 * @param maxVlNum code of the number of virtual lanes
 * @param smSl service level of the subnet manager
 * @param subnetTimeout exponent of the subnet's propagation delay, 4.096 us times a power of two
 * @param initTypeReply how the subnet manager initialised the port
 * @param activeWidth code of the link width
 * @param activeSpeed code of the link speed
 * @param physState physical state, 5 is LinkUp
 * @param rawLinkLayer the kernel's number of {@link #linkLayer()}, {@code IBV_LINK_LAYER_*}
 * @param flags {@code IB_UVERBS_QPF_*}
 */
public record PortAttr(
        int portCapFlags,
        int maxMsgSz,
        int badPkeyCntr,
        int qkeyViolCntr,
        int gidTblLen,
        int pkeyTblLen,
        int lid,
        int smLid,
        int rawState,
        int rawMaxMtu,
        int rawActiveMtu,
        int lmc,
        int maxVlNum,
        int smSl,
        int subnetTimeout,
        int initTypeReply,
        int activeWidth,
        int activeSpeed,
        int physState,
        int rawLinkLayer,
        int flags) {
    /** The logical state. */
    public State state() {
        return State.of(rawState);
    }

    /** The largest MTU that the port supports. */
    public PathMtu maxMtu() {
        return PathMtu.of(rawMaxMtu);
    }

    /** The MTU that the port uses. */
    public PathMtu activeMtu() {
        return PathMtu.of(rawActiveMtu);
    }

    /** What carries the packets. */
    public LinkLayer linkLayer() {
        return LinkLayer.of(rawLinkLayer);
    }

    /** The logical state of a port, {@code enum ibv_port_state}. */
    @KernelConstants(value = "infiniband/verbs.h", prefix = "IBV_PORT_")
    public enum State {
        /** {@code IBV_PORT_NOP}: no state; a port is never in it. */
        NOP(0),
        /** {@code IBV_PORT_DOWN}: the link does not work. */
        DOWN(1),
        /** {@code IBV_PORT_INIT}: the link works, and the subnet manager has not configured the port yet. */
        INIT(2),
        /** {@code IBV_PORT_ARMED}: the subnet manager has configured the port and not activated it yet. */
        ARMED(3),
        /** {@code IBV_PORT_ACTIVE}: the port moves data. */
        ACTIVE(4),
        /** {@code IBV_PORT_ACTIVE_DEFER}: the port was active, and the link does not work at the moment. */
        ACTIVE_DEFER(5),
        /** A number that this version has no name for. */
        UNKNOWN(-1);

        private static final Codes<State> CODES = Codes.of(values(), State::code, UNKNOWN);

        private final int code;

        State(int code) {
            this.code = code;
        }

        /** The kernel's number ({@code IBV_PORT_*}); -1 for {@link #UNKNOWN}. */
        public int code() {
            return code;
        }

        /** The state with a number of the kernel; {@link #UNKNOWN} for a number without a name. */
        public static State of(int code) {
            return CODES.get(code);
        }
    }
}
