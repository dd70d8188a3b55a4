// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.sa;

import io.github.rdma4j.cli.run.Field;
import io.github.rdma4j.sm.MulticastGid;
import io.github.rdma4j.sm.mad.McMemberRecord;
import io.github.rdma4j.sm.mad.McMemberRecord.JoinState;
import io.github.rdma4j.verbs.attr.PathMtu;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The fields of groups and members, and the units of InfiniBand. */
final class GroupFields {
    /** The rates of the codes IBV_RATE_* in Gb/s, from code 2. */
    private static final List<BigDecimal> RATES = Stream.of(
                    "2.5", "10", "30", "5", "20", "40", "60", "80", "120", "14", "56", "112", "168", "25", "100", "200",
                    "300", "28", "50", "400", "600", "800", "1200")
            .map(BigDecimal::new)
            .toList();

    private static final int FIRST_RATE = 2;

    private GroupFields() {}

    static List<Field> group(McMemberRecord record) {
        List<Field> fields = new ArrayList<>();
        fields.add(Field.of("mgid", "MGID", record.mgid().toString()));
        fields.add(Field.of(
                "group", "group", new MulticastGid(record.mgid()).ipv4Group().map(InetAddress::getHostAddress)));
        fields.add(Field.hex("mlid", "MLID", record.mlid(), 4));
        fields.add(Field.hex("pkey", "P_Key", record.pkey(), 4));
        fields.add(Field.hex("qkey", "Q_Key", record.qkey(), 8));
        fields.add(Field.of("mtu", "MTU", mtuBytes(record.mtu().code())));
        fields.add(Field.of("rateGbps", "Gb/s", gigabits(record.rate().code())));
        fields.add(Field.of("sl", "SL", record.sl()));
        fields.add(Field.of("trafficClass", "TClass", record.trafficClass()));
        fields.add(Field.of("flowLabel", "flow", record.flowLabel()));
        fields.add(Field.of("hopLimit", "hops", record.hopLimit()));
        return fields;
    }

    /** The fields of the member, with the names of its group. */
    static List<Field> member(McMemberRecord record) {
        List<Field> fields = new ArrayList<>(group(record).subList(0, 3));
        fields.add(Field.of("portGid", "port GID", record.portGid().toString()));
        fields.add(Field.list("joinState", "as", names(JoinState.ofBits(record.joinState()))));
        fields.add(Field.of("proxyJoin", "by proxy", record.proxyJoin()));
        return fields;
    }

    /** The fields of the group and of the member. */
    static List<Field> membership(McMemberRecord record) {
        List<Field> fields = group(record);
        fields.addAll(member(record).subList(3, 5));
        return fields;
    }

    static List<String> names(Collection<JoinState> states) {
        return states.stream().map(GroupFields::name).toList();
    }

    /** Returns the name, for example {@code send-only-full-member}. */
    static String name(JoinState state) {
        return state.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The path MTU in bytes. */
    static Optional<Integer> mtuBytes(int code) {
        return Optional.of(PathMtu.of(code))
                .filter(mtu -> mtu != PathMtu.UNKNOWN)
                .map(PathMtu::bytes);
    }

    /** The rate in Gb/s. */
    static Optional<BigDecimal> gigabits(int code) {
        int index = code - FIRST_RATE;
        return index >= 0 && index < RATES.size() ? Optional.of(RATES.get(index)) : Optional.empty();
    }

    /** The code of a rate in Gb/s. */
    static Optional<Integer> rateCode(BigDecimal gigabits) {
        return IntStream.range(0, RATES.size())
                .filter(index -> RATES.get(index).compareTo(gigabits) == 0)
                .mapToObj(index -> FIRST_RATE + index)
                .findFirst();
    }
}
