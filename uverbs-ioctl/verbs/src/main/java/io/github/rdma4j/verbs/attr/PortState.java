// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.attr;

import io.github.rdma4j.internal.abi.Codes;
import io.github.rdma4j.internal.abi.KernelConstants;

/** The logical state of a port, {@code enum ibv_port_state}. */
@KernelConstants(value = "infiniband/verbs.h", prefix = "IBV_PORT_")
public enum PortState {
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

    private static final Codes<PortState> CODES = Codes.of(values(), PortState::code, UNKNOWN);

    private final int code;

    PortState(int code) {
        this.code = code;
    }

    /** The kernel's number ({@code IBV_PORT_*}); -1 for {@link #UNKNOWN}. */
    public int code() {
        return code;
    }

    /** The state with a number of the kernel; {@link #UNKNOWN} for a number without a name. */
    public static PortState of(int code) {
        return CODES.get(code);
    }
}
