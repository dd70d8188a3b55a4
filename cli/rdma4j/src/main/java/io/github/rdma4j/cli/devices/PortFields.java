// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.devices;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.attr.GidEntry;
import io.github.rdma4j.verbs.attr.PathMtu;
import io.github.rdma4j.verbs.attr.PortAttr;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What {@code ibv_devinfo} prints of a port, under the same names and in the same order. */
final class PortFields {
    private static final List<String> LINK_LAYERS = List.of("Unspecified", "InfiniBand", "Ethernet");
    private static final List<String> PHYSICAL_STATES = List.of(
            "NO STATE CHANGE",
            "SLEEP",
            "POLLING",
            "DISABLED",
            "PORT CONFIGURATION TRAINING",
            "LINK_UP",
            "LINK ERROR RECOVERY",
            "PHY TEST");
    private static final Map<Integer, String> WIDTHS = Map.of(1, "1X", 2, "4X", 4, "8X", 8, "12X", 16, "2X");
    private static final Map<Integer, String> SPEEDS = Map.of(
            1,
            "2.5 Gbps",
            2,
            "5.0 Gbps",
            4,
            "10.0 Gbps",
            8,
            "10.0 Gbps",
            16,
            "14.0 Gbps",
            32,
            "25.0 Gbps",
            64,
            "50.0 Gbps",
            128,
            "100.0 Gbps");
    private static final List<String> LANES = List.of("0", "1", "2", "4", "8", "15");
    private static final int FLAG_DIGITS = 8;

    private PortFields() {}

    static List<Field> of(DeviceContext context, int number, boolean verbose) throws RdmaException {
        PortAttr port = context.queryPort(number);
        List<Field> fields = new ArrayList<>();
        fields.add(Field.named("state", "PORT_" + port.state(), port.rawState()));
        fields.add(mtu("max_mtu", port.maxMtu(), port.rawMaxMtu()));
        fields.add(mtu("active_mtu", port.activeMtu(), port.rawActiveMtu()));
        fields.add(Field.of("sm_lid", port.smLid()));
        fields.add(Field.of("port_lid", port.lid()));
        fields.add(Field.hex("port_lmc", port.lmc(), 2));
        fields.add(Field.of("link_layer", Names.at(LINK_LAYERS, port.rawLinkLayer(), "Unknown")));
        if (verbose) {
            addMore(fields, port);
            addGids(fields, context, number);
        }
        return fields;
    }

    private static Field mtu(String name, PathMtu mtu, int number) {
        boolean known = mtu != PathMtu.UNKNOWN;
        String bytes = known ? Integer.toString(mtu.bytes()) : "invalid MTU";
        return new Field(name, known ? mtu.bytes() : 0, bytes + " (" + number + ")");
    }

    private static void addMore(List<Field> fields, PortAttr port) {
        fields.add(Field.hex("max_msg_sz", Integer.toUnsignedLong(port.maxMsgSz())));
        fields.add(Field.hex("port_cap_flags", Integer.toUnsignedLong(port.portCapFlags()), FLAG_DIGITS));
        fields.add(Field.named("max_vl_num", Names.at(LANES, port.maxVlNum(), "invalid value"), port.maxVlNum()));
        fields.add(Field.hex("bad_pkey_cntr", Integer.toUnsignedLong(port.badPkeyCntr())));
        fields.add(Field.hex("qkey_viol_cntr", Integer.toUnsignedLong(port.qkeyViolCntr())));
        fields.add(Field.of("sm_sl", port.smSl()));
        fields.add(Field.of("pkey_tbl_len", port.pkeyTblLen()));
        fields.add(Field.of("gid_tbl_len", port.gidTblLen()));
        fields.add(Field.of("subnet_timeout", port.subnetTimeout()));
        fields.add(Field.of("init_type_reply", port.initTypeReply()));
        fields.add(Field.named(
                "active_width", WIDTHS.getOrDefault(port.activeWidth(), "invalid width"), port.activeWidth()));
        fields.add(Field.named(
                "active_speed", SPEEDS.getOrDefault(port.activeSpeed(), "invalid speed"), port.activeSpeed()));
        fields.add(Field.named(
                "phys_state", Names.at(PHYSICAL_STATES, port.physState(), "invalid physical state"), port.physState()));
    }

    private static void addGids(List<Field> fields, DeviceContext context, int number) throws RdmaException {
        List<Map<String, Object>> values = new ArrayList<>();
        List<String> lines = new ArrayList<>();
        for (GidEntry entry : context.queryGids()) {
            if (entry.portNum() == number) {
                Map<String, Object> value = new LinkedHashMap<>();
                value.put("index", entry.gidIndex());
                value.put("gid", entry.gid().toString());
                value.put("type", type(entry.gidType()));
                values.add(value);
                lines.add(String.format("GID[%3d]:\t\t%s, %s", entry.gidIndex(), entry.gid(), type(entry.gidType())));
            }
        }
        fields.add(new Field("gids", values, "", lines));
    }

    private static String type(GidEntry.Type type) {
        return switch (type) {
            case IB -> "IB/RoCE v1";
            case ROCE_V1 -> "RoCE v1";
            case ROCE_V2 -> "RoCE v2";
            case UNKNOWN -> "unknown type";
        };
    }
}
