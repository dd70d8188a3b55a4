// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import io.github.rdma4j.internal.fd.LinuxKernel;
import io.github.rdma4j.internal.libc.Binding;
import io.github.rdma4j.internal.libc.JnrSyscalls;
import io.github.rdma4j.internal.libc.Syscalls;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.sm.mad.ClassPortInfo;
import io.github.rdma4j.sm.mad.McMemberRecord;
import io.github.rdma4j.sm.mad.PathTemplate;
import io.github.rdma4j.sm.mad.SaRequest;
import io.github.rdma4j.umad.AgentOptions.Rmpp;
import io.github.rdma4j.umad.LocalPort;
import io.github.rdma4j.umad.UmadDevice.HeaderLayout;
import io.github.rdma4j.umad.UmadPort;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.PathRecord;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A program whose system calls on umad files go to the InfiniBand simulator: with {@link Binding#LIBRARY_PROPERTY}
 * its library stands in front of libc. One port a process, and the simulator's sysfs is a directory that it makes in the
 * working directory when a umad file is first opened. It knows the old header only.
 */
final class UmadOverSimulator {
    private static final String DEVICE = "ibsim0";
    private static final Duration PATIENT = Duration.ofSeconds(60);

    private UmadOverSimulator() {}

    public static void main(String[] arguments) throws Exception {
        Syscalls syscalls = JnrSyscalls.load();
        int first = syscalls.open("/dev/infiniband/umad0", Syscalls.O_RDWR);
        if (first < 0) {
            throw new AssertionError("open: " + first);
        }
        Path sysfs = Path.of("sys-" + ProcessHandle.current().pid(), "sys");
        Kernel kernel = new LinuxKernel(syscalls, sysfs, Path.of("/dev"));
        UmadPort.Options options = UmadPort.Options.builder()
                .layout(HeaderLayout.OLD)
                .rmpp(Rmpp.KERNEL)
                .build();
        try (SaClient client = SaClient.over(UmadPort.open(kernel, DEVICE, 1, options))) {
            ask(client, Gid.parse(arguments[0]));
        }
    }

    private static void ask(SaClient client, Gid mgid) throws Exception {
        LocalPort port = client.port();
        System.out.println("port " + port.gid() + " active " + port.isActive() + " pkey "
                + port.pkeys().get(0));
        System.out.println("send-only full member "
                + client.classPortInfo(PATIENT).map(ClassPortInfo::supportsSendOnlyFullMember));
        McMemberRecord joined = client.call(
                SaRequest.set(McMemberRecord.template()
                        .mgid(mgid)
                        .portGid(port.gid())
                        .qkey(0xb1b)
                        .pkey(0xffff)
                        .trafficClass(0)
                        .sl(0)
                        .flowLabel(0)
                        .joinState(1)),
                PATIENT);
        System.out.println("joined " + joined.mgid() + " as " + joined.joinState());
        List<McMemberRecord> members = client.call(
                SaRequest.getTable(McMemberRecord.template().mgid(mgid)).trusted(1), PATIENT);
        System.out.println(
                "members " + members.size() + " first " + members.get(0).portGid());
        PathRecord path = client.call(
                SaRequest.get(PathTemplate.empty()
                        .sgid(port.gid())
                        .dgid(port.gid())
                        .reversible(true)
                        .numbPath(1)),
                PATIENT);
        System.out.println("path from own LID " + (path.slid() == port.lid()));
        try {
            client.call(
                    SaRequest.get(McMemberRecord.template().mgid(new Gid(0xff15_0000_0000_0000L, 0x4711))), PATIENT);
        } catch (SaException e) {
            System.out.println("refused " + e.status());
        }
        client.call(
                SaRequest.delete(
                        McMemberRecord.template().mgid(mgid).portGid(port.gid()).joinState(1)),
                PATIENT);
        System.out.println(
                "left " + client.statistics().sent() + " " + client.statistics().strayReplies());
    }
}
