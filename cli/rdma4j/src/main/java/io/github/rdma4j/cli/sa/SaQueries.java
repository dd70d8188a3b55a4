// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.sa;

import io.github.rdma4j.cli.run.Field;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.sm.MulticastGroups;
import io.github.rdma4j.sm.SaClient;
import io.github.rdma4j.sm.mad.ClassPortInfo;
import io.github.rdma4j.sm.mad.McMemberRecord;
import io.github.rdma4j.sm.mad.PathTemplate;
import io.github.rdma4j.sm.mad.SaRequest;
import io.github.rdma4j.sm.mad.ServiceRecord;
import io.github.rdma4j.umad.LocalPort;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.PathRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands that show records of subnet administration. */
final class SaQueries {
    private static final long NANOS_PER_MICRO = 1000;

    private SaQueries() {}

    /** {@code rdma4j sa class-port-info}. */
    @Command(
            name = "class-port-info",
            description = "Show the capabilities and the address of the subnet administration.")
    static final class ClassPortInfoCommand extends SaSession {
        @Override
        void run(SaClient client) throws RdmaException, InterruptedException {
            ClassPortInfo info = client.call(SaRequest.classPortInfo());
            LocalPort port = client.port();
            single(List.of(
                    Field.of("device", "device", port.device()),
                    Field.of("port", "port", port.port()),
                    Field.of("lid", "LID", port.lid()),
                    Field.of("smLid", "subnet manager's LID", port.smLid()),
                    Field.of("gid", "GID", port.gid().toString()),
                    Field.of("classVersion", "class version", info.classVersion()),
                    Field.hex("capabilityMask", "capability mask", info.capabilityMask(), 4),
                    Field.hex("capabilityMask2", "capability mask 2", info.capabilityMask2(), 8),
                    Field.of("multicast", "multicast", (info.capabilityMask() & ClassPortInfo.UD_MULTICAST) != 0),
                    Field.of("sendOnlyFullMember", "send-only full members", info.supportsSendOnlyFullMember()),
                    Field.of(
                            "responseTimeMicros",
                            "response time, us",
                            info.responseTime().toNanos() / NANOS_PER_MICRO)));
        }
    }

    /** {@code rdma4j sa groups}. */
    @Command(name = "groups", description = "List the multicast groups in the partitions of the port.")
    static final class GroupsCommand extends SaSession {
        @Override
        void run(SaClient client) throws RdmaException, InterruptedException {
            List<List<Field>> groups = new MulticastGroups(client)
                    .groups().stream().map(GroupFields::group).toList();
            table(groups, "no groups");
        }
    }

    /** {@code rdma4j sa members}. */
    @Command(name = "members", description = "List the members of a group, or of all groups.")
    static final class MembersCommand extends SaSession {
        @Mixin
        private final GroupName group = new GroupName();

        @Mixin
        private final SmKey smKey = new SmKey();

        @Override
        void check() {
            if (group.isGiven()) {
                parsed(group::mgid);
            }
        }

        @Override
        void run(SaClient client) throws RdmaException, InterruptedException {
            MulticastGroups groups = new MulticastGroups(client);
            List<McMemberRecord> members =
                    group.isGiven() ? groups.members(group.mgid(), smKey.value) : groups.members(smKey.value);
            table(members.stream().map(GroupFields::member).toList(), "no members");
            if (members.stream().anyMatch(member -> member.portGid().isZero())) {
                remark("The subnet manager shows members only with its key: give --sm-key (the default key of OpenSM is"
                        + " 1).");
            }
        }
    }

    /** {@code rdma4j sa path}. */
    @Command(name = "path", description = "Show a path from the port to another port.")
    static final class PathCommand extends SaSession {
        @Parameters(paramLabel = "PORT", description = "The destination: a GID such as fe80::2:c903:a0:7, or a LID.")
        @SuppressWarnings("NullAway.Init") // set by picocli
        private String to;

        @Option(names = "--from", paramLabel = "GID", description = "GID of another port to start from.")
        private @Nullable String from;

        @Override
        void check() {
            addDestination(PathTemplate.empty());
            if (from != null) {
                parsedGid(from);
            }
        }

        private void addDestination(PathTemplate path) {
            if (to.indexOf(':') >= 0) {
                path.dgid(parsedGid(to));
                return;
            }
            try {
                path.dlid(Integer.decode(to));
            } catch (IllegalArgumentException e) {
                throw wrong(to + " is neither a GID nor a LID");
            }
        }

        @Override
        void run(SaClient client) throws RdmaException, InterruptedException {
            Gid source = from == null ? client.port().gid() : GroupName.gid(from);
            PathTemplate wanted =
                    PathTemplate.empty().sgid(source).reversible(true).numbPath(1);
            addDestination(wanted);
            PathRecord path = client.call(SaRequest.get(wanted));
            single(List.of(
                    Field.of("sgid", "from GID", path.sgid().toString()),
                    Field.of("slid", "from LID", path.slid()),
                    Field.of("dgid", "to GID", path.dgid().toString()),
                    Field.of("dlid", "to LID", path.dlid()),
                    Field.hex("pkey", "P_Key", path.pkey(), 4),
                    Field.of("sl", "SL", path.sl()),
                    Field.of("mtu", "MTU", GroupFields.mtuBytes(path.mtu().code())),
                    Field.of(
                            "rateGbps", "Gb/s", GroupFields.gigabits(path.rate().code())),
                    Field.of(
                            "lifeTimeMicros",
                            "life time, us",
                            ClassPortInfo.time(path.packetLifeTime().code() & 0x1f)
                                            .toNanos()
                                    / NANOS_PER_MICRO),
                    Field.of("hopLimit", "hops", path.hopLimit()),
                    Field.of("trafficClass", "TClass", path.trafficClass()),
                    Field.of("flowLabel", "flow", path.flowLabel())));
        }
    }

    /** {@code rdma4j sa services}. */
    @Command(name = "services", description = "List the registered services.")
    static final class ServicesCommand extends SaSession {
        @Option(names = "--name", paramLabel = "NAME", description = "List only services with this name.")
        private @Nullable String name;

        @Override
        void run(SaClient client) throws RdmaException, InterruptedException {
            ServiceRecord.Template wanted = ServiceRecord.template();
            if (name != null) {
                wanted.name(name);
            }
            List<List<Field>> services = client.call(SaRequest.getTable(wanted)).stream()
                    .map(ServicesCommand::fields)
                    .toList();
            table(services, "no services");
        }

        private static List<Field> fields(ServiceRecord service) {
            boolean forEver = service.leaseSeconds() == ServiceRecord.FOR_EVER;
            long lease = Integer.toUnsignedLong(service.leaseSeconds());
            return List.of(
                    Field.of("name", "name", service.name()),
                    Field.of("serviceId", "service id", Field.hex(service.serviceId(), 16)),
                    Field.of("portGid", "port GID", service.gid().toString()),
                    Field.hex("pkey", "P_Key", service.pkey(), 4),
                    new Field("leaseSeconds", "lease, s", forEver ? null : lease, forEver ? "for ever" : "" + lease));
        }
    }
}
