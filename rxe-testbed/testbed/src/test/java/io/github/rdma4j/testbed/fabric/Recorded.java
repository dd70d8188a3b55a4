// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.fabric;

import java.io.ByteArrayOutputStream;
import java.util.HexFormat;

/** Frames that guests with OpenSM sent, without their Ethernet headers. {@code (n)} stands for n bytes of zero. */
final class Recorded {
    static final String HELLO = "49426c6b01(10)01505400fffe4d0001(22)";

    /** {@code SubnGet(NodeInfo)} to the switch next to the manager. */
    static final String GET_NODE_INFO =
            "f002ffff0048ffff6400ffff(4)8000000080(7)018101010000010100000006000012380011(14)"
                    + "ffffffff(93)01(21)c8e3c3ff7f7f0000f8e3c3ff7f7f(19)0e6ec892050aab(65)0fe23638";

    /** {@code SubnGet(NodeInfo)} to the node behind port 2 of the switch. */
    static final String GET_NODE_INFO_OF_NODE_2 = "f002ffff0048ffff6400ffff(4)8000000f80(7)"
            + "018101010000010200000006000012470011(14)ffffffff(93)0102(125)cb514917";

    /** The answer of that node, as it arrives at the switch. */
    static final String NODE_INFO_OF_NODE_2 = "f002ffff0048ffff6400ffff(4)8000000080(7)"
            + "018101818000020200000006000012470011(14)ffffffff(28)0101010150540000014d000250540000014d0002"
            + "505400fffe4d0002002053490000000101ffffff(25)0102(62)0101(61)e1c41be5";

    /** {@code SubnSet(SwitchInfo)} to the switch, which takes the change of port states back. */
    static final String SET_SWITCH_INFO =
            "f002ffff0048ffff6400ffff(4)8000001380(7)0181010200000101000000060000124b0012(14)"
                    + "ffffffff(28)c000000004(6)04(53)01(126)0f12ad40";

    private Recorded() {}

    static byte[] bytes(String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (String part : text.split("(?=\\()|(?<=\\))", -1)) {
            bytes.writeBytes(
                    part.startsWith("(")
                            ? new byte[Integer.parseInt(part.substring(1, part.length() - 1))]
                            : HexFormat.of().parseHex(part));
        }
        return bytes.toByteArray();
    }
}
