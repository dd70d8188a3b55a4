// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.sa;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.sm.SaClient;
import io.github.rdma4j.sm.mad.ClassPortInfo;
import io.github.rdma4j.sm.mad.SaRequest;
import io.github.rdma4j.umad.LocalPort;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code rdma4j sa class-port-info}. */
@Command(
        name = "class-port-info",
        description = "Show the capabilities and the address of the subnet administration.",
        mixinStandardHelpOptions = true)
final class ClassPortInfoCommand extends SaSession {
    private static final long NANOS_PER_MICRO = 1000;

    ClassPortInfoCommand() {}

    @Override
    void run(SaClient client, Output output) throws RdmaException, InterruptedException {
        ClassPortInfo info = client.call(SaRequest.classPortInfo());
        LocalPort port = client.port();
        output.single(List.of(
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
