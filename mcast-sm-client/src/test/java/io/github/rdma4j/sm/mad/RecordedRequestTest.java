// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm.mad;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.github.rdma4j.internal.mad.MadHeader;
import io.github.rdma4j.internal.mad.SaHeader;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.PathRecord;
import io.github.rdma4j.verbs.attr.PathRecord.Selected;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What the templates encode against what saquery and osmtest sent for the same question. */
class RecordedRequestTest {
    private static final Gid HCA_B = new Gid(0xfe80_0000_0000_0000L, 0x0002_c903_00a0_0004L);
    private static final Gid HCA_D = new Gid(0xfe80_0000_0000_0000L, 0x0002_c903_00a0_000aL);

    @ParameterizedTest
    @MethodSource("questions")
    void same(String recorded, SaRequest<?> request, RecordType<?> type) {
        assertThat(Recorded.comparable(request.encode(0), type.bytes()))
                .isEqualTo(Recorded.comparable(Recorded.request(recorded), type.bytes()));
    }

    static Stream<Arguments> questions() {
        return Stream.of(
                arguments("class-port-info", SaRequest.classPortInfo(), ClassPortInfo.TYPE),
                arguments("groups", SaRequest.getTable(McMemberRecord.template()), McMemberRecord.TYPE),
                arguments(
                        "many-groups",
                        SaRequest.getTable(McMemberRecord.template()).trusted(1),
                        McMemberRecord.TYPE),
                arguments(
                        "path-of-lids",
                        SaRequest.getTable(PathTemplate.empty().slid(1).dlid(6).numbPath(0x7f)),
                        PathTemplate.TYPE),
                arguments(
                        "path-of-gids",
                        SaRequest.getTable(
                                PathTemplate.empty().sgid(HCA_B).dgid(HCA_D).numbPath(0x7f)),
                        PathTemplate.TYPE),
                arguments("nodes", SaRequest.getTable(NodeRecord.template()), NodeRecord.TYPE),
                arguments(
                        "ports",
                        SaRequest.getTable(PortInfoRecord.template().lid(4).portNumber(1)),
                        PortInfoRecord.TYPE),
                arguments("no-services", SaRequest.getTable(ServiceRecord.template()), ServiceRecord.TYPE));
    }

    @Test
    void creation() {
        McMemberRecord.Template template = McMemberRecord.template()
                .mgid(new Gid(0, 0))
                .portGid(HCA_B)
                .qkey(0)
                .trafficClass(0)
                .pkey(0xffff)
                .sl(0)
                .flowLabel(0)
                .joinState(1);
        assertThat(template.mask()).isEqualTo(0x130c7);
        // osmtest leaves more in the record than its mask counts.
        template.rate(Selected.greaterThan(2)).scope(2);
        String bytes = Recorded.comparable(SaRequest.set(template).encode(0), McMemberRecord.TYPE.bytes());
        String recorded = Recorded.comparable(Recorded.request("create"), McMemberRecord.TYPE.bytes());
        assertThat(withoutMask(bytes)).isEqualTo(withoutMask(recorded));
    }

    private static String withoutMask(String hex) {
        return hex.substring(0, 2 * SaHeader.Layout.COMPONENT_MASK) + hex.substring(2 * SaHeader.Layout.END);
    }

    @Test
    void creationWithMtuRateAndLifeTime() {
        McMemberRecord.Template counted = McMemberRecord.template()
                .mgid(new Gid(0, 0))
                .portGid(HCA_B)
                .qkey(0)
                .mtu(PathRecord.Selected.lessThan(5))
                .trafficClass(0)
                .pkey(0xffff)
                .sl(0)
                .flowLabel(0)
                .joinState(1);
        assertThat(counted.mask()).isEqualTo(0x130f7);
        assertThat(Recorded.request("create-selectors").getLong(SaHeader.Layout.COMPONENT_MASK))
                .isEqualTo(0x130f7);
    }

    @Test
    void join() {
        Gid ipoib = new Gid(0xff12_401b_ffff_0000L, 0x0000_0000_ffff_ffffL);
        McMemberRecord.Template template =
                McMemberRecord.template().mgid(ipoib).portGid(HCA_B).joinState(1);
        SaRequest<McMemberRecord> request = SaRequest.set(template);
        assertThat(template.mask()).isEqualTo(0x10003);
        byte[] ours = request.encode(0x1234).array();
        byte[] theirs = Recorded.request("join").array();
        assertThat(ours).startsWith(Arrays.copyOf(theirs, MadHeader.Layout.TRANSACTION_ID));
        assertThat(Arrays.copyOfRange(ours, MadHeader.Layout.ATTRIBUTE_ID, SaHeader.Layout.END + 32))
                .isEqualTo(Arrays.copyOfRange(theirs, MadHeader.Layout.ATTRIBUTE_ID, SaHeader.Layout.END + 32));
    }

    @Test
    void leave() {
        assertThat(Recorded.request("leave").get(MadHeader.Layout.METHOD))
                .isEqualTo(SaRequest.delete(McMemberRecord.template()).encode(0).get(MadHeader.Layout.METHOD));
    }

    @Test
    void service() throws MalformedReplyException {
        ServiceRecord recorded = ServiceRecord.TYPE.decodeOne(Recorded.request("service"));
        ServiceRecord.Template template = ServiceRecord.template()
                .serviceId(recorded.serviceId())
                .gid(recorded.gid())
                .pkey(0xffff)
                .leaseSeconds(10)
                .key(new byte[] {0x0c})
                .name(recorded.name())
                .data8(0, 1)
                .data8(1, 0)
                .data16(0, 2)
                .data16(1, 0)
                .data32(0, 3)
                .data32(1, 0)
                .data64(0, 4)
                .data64(1, 0);
        assertThat(recorded.name()).startsWith("osmt.srvc.");
        assertThat(recorded.serviceId()).isEqualTo(0x6632_e0a0L);
        same("service", SaRequest.set(template), ServiceRecord.TYPE);
    }
}
