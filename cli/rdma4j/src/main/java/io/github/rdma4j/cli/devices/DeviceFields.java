// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.devices;

import io.github.rdma4j.cli.run.Field;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.attr.DeviceAttr;
import io.github.rdma4j.verbs.attr.GidEntry;
import io.github.rdma4j.verbs.attr.PathMtu;
import io.github.rdma4j.verbs.attr.PortAttr;
import io.github.rdma4j.verbs.attr.RdmaDevice;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** The fields of a device and of its ports, with the names and the order of {@code ibv_devinfo}. */
final class DeviceFields {
    private static final int SHORT = 16;
    private static final long SHORT_MASK = 0xffff;
    private static final int FLAG_DIGITS = 8;
    private static final List<String> TRANSPORTS = List.of(
            "unspecified", "InfiniBand", "InfiniBand", "InfiniBand", "iWARP", "usNIC", "usNIC UDP", "unspecified");
    private static final List<String> ATOMICITY = List.of("ATOMIC_NONE", "ATOMIC_HCA", "ATOMIC_GLOB");
    private static final List<String> PAGING =
            List.of("SUPPORT_SEND", "SUPPORT_RECV", "SUPPORT_WRITE", "SUPPORT_READ", "SUPPORT_ATOMIC", "SUPPORT_SRQ");
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
    private static final List<String> LANES = List.of("0", "1", "2", "4", "8", "15");

    /** The widths and speeds of a link, by bit. */
    private static final List<String> WIDTHS = List.of("1X", "4X", "8X", "12X", "2X");

    private static final List<String> SPEEDS = Stream.of("2.5", "5.0", "10.0", "10.0", "14.0", "25.0", "50.0", "100.0")
            .map(speed -> speed + " Gbps")
            .toList();

    private DeviceFields() {}

    static List<Field> of(DeviceContext context, boolean verbose) throws RdmaException {
        DeviceAttr.Extended device = context.queryDeviceEx();
        List<Field> fields = new ArrayList<>();
        addIdentity(fields, context.device(), device.basic());
        if (verbose) {
            addLimits(fields, device.basic());
            addMoreLimits(fields, device.basic());
            addPaging(fields, device.odp());
            addExtended(fields, device);
            fields.add(Field.of("num_comp_vectors", context.completionVectors()));
        }
        return fields;
    }

    private static void addIdentity(List<Field> fields, RdmaDevice device, DeviceAttr attr) {
        int node = Math.max(0, device.nodeType().code());
        fields.add(named("transport", TRANSPORTS.get(node), node == 4 ? 1 : 0));
        fields.add(Field.of("fw_ver", version(attr.fwVer())));
        fields.add(Field.of("node_guid", guid(attr.nodeGuid())));
        fields.add(Field.of("sys_image_guid", guid(attr.sysImageGuid())));
        fields.add(hex("vendor_id", Integer.toUnsignedLong(attr.vendorId()), 4));
        fields.add(unsigned("vendor_part_id", attr.vendorPartId()));
        fields.add(hex("hw_ver", Integer.toUnsignedLong(attr.hwVer())));
        fields.add(Field.of("phys_port_cnt", attr.physPortCnt()));
    }

    /** A version as three 16-bit numbers, the format of most drivers. */
    private static String version(long number) {
        return ((number >>> (2 * SHORT)) & SHORT_MASK) + "." + ((number >>> SHORT) & SHORT_MASK) + "."
                + (number & SHORT_MASK);
    }

    private static String guid(long guid) {
        return String.format(
                "%04x:%04x:%04x:%04x",
                (guid >>> (3 * SHORT)) & SHORT_MASK,
                (guid >>> (2 * SHORT)) & SHORT_MASK,
                (guid >>> SHORT) & SHORT_MASK,
                guid & SHORT_MASK);
    }

    private static void addLimits(List<Field> fields, DeviceAttr attr) {
        fields.add(hex("max_mr_size", attr.maxMrSize()));
        fields.add(hex("page_size_cap", attr.pageSizeCap()));
        fields.add(Field.of("max_qp", attr.maxQp()));
        fields.add(Field.of("max_qp_wr", attr.maxQpWr()));
        fields.add(new Field(
                "device_cap_flags",
                "device_cap_flags",
                names(attr.deviceCapFlags() & 0xffff_ffffL),
                Field.hex(Integer.toUnsignedLong(attr.deviceCapFlags()), FLAG_DIGITS),
                names(Integer.toUnsignedLong(attr.deviceCapFlags()))));
        fields.add(Field.of("max_sge", attr.maxSge()));
        fields.add(Field.of("max_sge_rd", attr.maxSgeRd()));
        fields.add(Field.of("max_cq", attr.maxCq()));
        fields.add(Field.of("max_cqe", attr.maxCqe()));
        fields.add(Field.of("max_mr", attr.maxMr()));
        fields.add(Field.of("max_pd", attr.maxPd()));
        fields.add(Field.of("max_qp_rd_atom", attr.maxQpRdAtom()));
        fields.add(Field.of("max_ee_rd_atom", attr.maxEeRdAtom()));
        fields.add(Field.of("max_res_rd_atom", attr.maxResRdAtom()));
        fields.add(Field.of("max_qp_init_rd_atom", attr.maxQpInitRdAtom()));
        fields.add(Field.of("max_ee_init_rd_atom", attr.maxEeInitRdAtom()));
        fields.add(named("atomic_cap", at(ATOMICITY, attr.atomicCap(), "invalid atomic capability"), attr.atomicCap()));
    }

    private static void addMoreLimits(List<Field> fields, DeviceAttr attr) {
        fields.add(Field.of("max_ee", attr.maxEe()));
        fields.add(Field.of("max_rdd", attr.maxRdd()));
        fields.add(Field.of("max_mw", attr.maxMw()));
        fields.add(Field.of("max_raw_ipv6_qp", attr.maxRawIpv6Qp()));
        fields.add(Field.of("max_raw_ethy_qp", attr.maxRawEthyQp()));
        fields.add(Field.of("max_mcast_grp", attr.maxMcastGrp()));
        fields.add(Field.of("max_mcast_qp_attach", attr.maxMcastQpAttach()));
        fields.add(Field.of("max_total_mcast_qp_attach", attr.maxTotalMcastQpAttach()));
        fields.add(Field.of("max_ah", attr.maxAh()));
        fields.add(Field.of("max_fmr", attr.maxFmr()));
        fields.add(Field.of("max_srq", attr.maxSrq()));
        if (attr.maxSrq() != 0) {
            fields.add(Field.of("max_srq_wr", attr.maxSrqWr()));
            fields.add(Field.of("max_srq_sge", attr.maxSrqSge()));
        }
        fields.add(Field.of("max_pkeys", attr.maxPkeys()));
        fields.add(Field.of("local_ca_ack_delay", attr.localCaAckDelay()));
    }

    private static List<String> names(long flags) {
        List<String> names = new ArrayList<>();
        for (DeviceAttr.Capability each : DeviceAttr.Capability.values()) {
            if ((flags & each.mask()) != 0) {
                names.add(each.name());
            }
        }
        return names;
    }

    private static void addPaging(List<Field> fields, DeviceAttr.OnDemandPaging odp) {
        List<String> general = new ArrayList<>();
        if (odp.isSupported()) {
            general.add("ODP_SUPPORT");
        }
        if (odp.isImplicitSupported()) {
            general.add("ODP_SUPPORT_IMPLICIT");
        }
        fields.add(new Field("general_odp_caps", "general_odp_caps", general, "", general));
        fields.add(paging("rc_odp_caps", odp.rc()));
        fields.add(paging("uc_odp_caps", odp.uc()));
        fields.add(paging("ud_odp_caps", odp.ud()));
        fields.add(paging("xrc_odp_caps", odp.xrc()));
    }

    private static Field paging(String name, int operations) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < PAGING.size(); i++) {
            if ((operations & 1 << i) != 0) {
                names.add(PAGING.get(i));
            }
        }
        return new Field(name, name, names, "", operations == 0 ? List.of("NO SUPPORT") : names);
    }

    private static void addExtended(List<Field> fields, DeviceAttr.Extended device) {
        fields.add(hex("completion_timestamp_mask", device.timestampMask(), 2 * FLAG_DIGITS));
        fields.add(Field.of("hca_core_clock", device.hcaCoreClock()));
        long flags = device.capabilityFlags();
        List<String> later = names(flags & ~0xffff_ffffL);
        fields.add(new Field(
                "device_cap_flags_ex",
                "device_cap_flags_ex",
                later,
                "0x" + Long.toHexString(flags).toUpperCase(Locale.ROOT),
                later));
        fields.add(Field.of("max_rwq_indirection_tables", device.rss().maxTables()));
        fields.add(Field.of("max_rwq_indirection_table_size", device.rss().maxTableSize()));
        fields.add(Field.of("max_wq_type_rq", device.maxWqTypeRq()));
        fields.add(Field.of("max_num_tags", device.tagMatching().maxNumTags()));
        fields.add(Field.of("max_cq_count", device.maxCqModerationCount()));
        fields.add(Field.of("max_cq_period", device.maxCqModerationPeriod()));
        fields.add(Field.of("maximum_available_device_memory", device.maxDmSize()));
    }

    static List<Field> ofPort(DeviceContext context, int number, boolean verbose) throws RdmaException {
        PortAttr port = context.queryPort(number);
        List<Field> fields = new ArrayList<>();
        fields.add(named("state", "PORT_" + port.state(), port.rawState()));
        fields.add(mtu("max_mtu", port.maxMtu(), port.rawMaxMtu()));
        fields.add(mtu("active_mtu", port.activeMtu(), port.rawActiveMtu()));
        fields.add(Field.of("sm_lid", port.smLid()));
        fields.add(Field.of("port_lid", port.lid()));
        fields.add(hex("port_lmc", port.lmc(), 2));
        fields.add(Field.of("link_layer", at(LINK_LAYERS, port.rawLinkLayer(), "Unknown")));
        if (verbose) {
            addMore(fields, port);
            addGids(fields, context, number);
        }
        return fields;
    }

    private static Field mtu(String name, PathMtu mtu, int number) {
        boolean known = mtu != PathMtu.UNKNOWN;
        String bytes = known ? Integer.toString(mtu.bytes()) : "invalid MTU";
        return new Field(name, name, known ? mtu.bytes() : 0, bytes + " (" + number + ")");
    }

    private static void addMore(List<Field> fields, PortAttr port) {
        fields.add(hex("max_msg_sz", Integer.toUnsignedLong(port.maxMsgSz())));
        fields.add(hex("port_cap_flags", Integer.toUnsignedLong(port.portCapFlags()), FLAG_DIGITS));
        fields.add(named("max_vl_num", at(LANES, port.maxVlNum(), "invalid value"), port.maxVlNum()));
        fields.add(hex("bad_pkey_cntr", Integer.toUnsignedLong(port.badPkeyCntr())));
        fields.add(hex("qkey_viol_cntr", Integer.toUnsignedLong(port.qkeyViolCntr())));
        fields.add(Field.of("sm_sl", port.smSl()));
        fields.add(Field.of("pkey_tbl_len", port.pkeyTblLen()));
        fields.add(Field.of("gid_tbl_len", port.gidTblLen()));
        fields.add(Field.of("subnet_timeout", port.subnetTimeout()));
        fields.add(Field.of("init_type_reply", port.initTypeReply()));
        fields.add(named("active_width", bit(WIDTHS, port.activeWidth(), "invalid width"), port.activeWidth()));
        fields.add(named("active_speed", bit(SPEEDS, port.activeSpeed(), "invalid speed"), port.activeSpeed()));
        fields.add(
                named("phys_state", at(PHYSICAL_STATES, port.physState(), "invalid physical state"), port.physState()));
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
        fields.add(new Field("gids", "gids", values, "", lines));
    }

    private static String type(GidEntry.Type type) {
        return switch (type) {
            case IB -> "IB/RoCE v1";
            case ROCE_V1 -> "RoCE v1";
            case ROCE_V2 -> "RoCE v2";
            case UNKNOWN -> "unknown type";
        };
    }

    private static Field unsigned(String name, int number) {
        return Field.of(name, Integer.toUnsignedLong(number));
    }

    private static Field hex(String name, long number) {
        return hex(name, number, 1);
    }

    private static Field hex(String name, long number, int digits) {
        return Field.of(name, Field.hex(number, digits));
    }

    /** A number and its meaning. */
    private static Field named(String name, String meaning, int number) {
        return new Field(name, name, meaning, meaning + " (" + number + ")");
    }

    /** The name of {@code number} in {@code names}, or {@code otherwise}. */
    private static String at(List<String> names, int number, String otherwise) {
        return number >= 0 && number < names.size() ? names.get(number) : otherwise;
    }

    /** The name of the only bit set in {@code bits}, or {@code otherwise}. */
    private static String bit(List<String> names, int bits, String otherwise) {
        return Integer.bitCount(bits) == 1 ? at(names, Integer.numberOfTrailingZeros(bits), otherwise) : otherwise;
    }
}
