// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mad;

/** The attributes of subnet administration. */
public final class SaAttributes {
    public static final int CLASS_PORT_INFO = 0x0001;
    public static final int NOTICE = 0x0002;
    public static final int INFORM_INFO = 0x0003;
    public static final int NODE_RECORD = 0x0011;
    public static final int PORT_INFO_RECORD = 0x0012;
    public static final int SERVICE_RECORD = 0x0031;
    public static final int PATH_RECORD = 0x0035;
    public static final int MC_MEMBER_RECORD = 0x0038;

    private SaAttributes() {}

    /** Returns the name, for example {@code MCMemberRecord}. */
    public static String name(int attribute) {
        return switch (attribute) {
            case CLASS_PORT_INFO -> "ClassPortInfo";
            case NOTICE -> "Notice";
            case INFORM_INFO -> "InformInfo";
            case NODE_RECORD -> "NodeRecord";
            case PORT_INFO_RECORD -> "PortInfoRecord";
            case SERVICE_RECORD -> "ServiceRecord";
            case PATH_RECORD -> "PathRecord";
            case MC_MEMBER_RECORD -> "MCMemberRecord";
            default -> "attribute 0x" + Integer.toHexString(attribute);
        };
    }
}
