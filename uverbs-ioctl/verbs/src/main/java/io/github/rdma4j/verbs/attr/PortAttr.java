// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.attr;

import io.github.rdma4j.internal.abi.Codes;
import io.github.rdma4j.internal.abi.KernelConstants;

/**
 * The attributes of a port ({@code struct ibv_port_attr}).
 *
 * <p>The longer reply of {@code UVERBS_METHOD_QUERY_PORT} starts with the same bytes.
 *
 * @param portCapFlags capability bits, {@code IB_UVERBS_PCF_*}
 * @param maxMsgSz size of the longest message in bytes; unsigned
 * @param badPkeyCntr number of packets with a bad partition key
 * @param qkeyViolCntr number of packets with a bad queue key
 * @param gidTblLen number of entries in the GID table
 * @param pkeyTblLen number of entries in the partition key table
 * @param lid local identifier, 0 on Ethernet
 * @param smLid local identifier of the subnet manager
 * @param rawState the kernel's number for {@link #state()}, {@code IBV_PORT_*}
 * @param rawMaxMtu the kernel's number for {@link #maxMtu()}, {@code IBV_MTU_*}
 * @param rawActiveMtu the kernel's number for {@link #activeMtu()}, {@code IBV_MTU_*}
 * @param lmc LID mask control: the port has 2^lmc local identifiers
 * @param maxVlNum code of the number of virtual lanes
 * @param smSl service level of the subnet manager
 * @param subnetTimeout exponent of the subnet's propagation delay, 4.096 us * 2^n
 * @param initTypeReply type of initialization that the subnet manager performed
 * @param activeWidth code of the link width
 * @param activeSpeed code of the link speed
 * @param physState physical state; 5 is LinkUp
 * @param rawLinkLayer the kernel's number for {@link #linkLayer()}, {@code IBV_LINK_LAYER_*}
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
    /** Returns the logical state. */
    public State state() {
        return State.of(rawState);
    }

    /** Returns the largest MTU that the port supports. */
    public PathMtu maxMtu() {
        return PathMtu.of(rawMaxMtu);
    }

    /** Returns the MTU that the port uses. */
    public PathMtu activeMtu() {
        return PathMtu.of(rawActiveMtu);
    }

    /** Returns the link layer. */
    public LinkLayer linkLayer() {
        return LinkLayer.of(rawLinkLayer);
    }

    /** The logical state of a port, {@code enum ibv_port_state}. */
    @KernelConstants(value = "infiniband/verbs.h", prefix = "IBV_PORT_")
    public enum State {
        /** {@code IBV_PORT_NOP}: no state change. Ports are never in this state. */
        NOP(0),
        /** {@code IBV_PORT_DOWN}: the link is down. */
        DOWN(1),
        /** {@code IBV_PORT_INIT}: the link is up; the subnet manager has not configured the port yet. */
        INIT(2),
        /** {@code IBV_PORT_ARMED}: the subnet manager has configured the port but not activated it yet. */
        ARMED(3),
        /** {@code IBV_PORT_ACTIVE}: the port transfers data. */
        ACTIVE(4),
        /** {@code IBV_PORT_ACTIVE_DEFER}: the port was active, but the link is currently down. */
        ACTIVE_DEFER(5),
        /** A number unknown to this version. */
        UNKNOWN(-1);

        private static final Codes<State> CODES = Codes.of(values(), State::code, UNKNOWN);

        private final int code;

        State(int code) {
            this.code = code;
        }

        /** Returns the kernel's number ({@code IBV_PORT_*}), or -1 for {@link #UNKNOWN}. */
        public int code() {
            return code;
        }

        /** Returns the state with the kernel's number {@code code}, or {@link #UNKNOWN} for an unknown number. */
        public static State of(int code) {
            return CODES.get(code);
        }
    }
}
