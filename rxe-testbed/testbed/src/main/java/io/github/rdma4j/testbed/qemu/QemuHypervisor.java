// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.qemu;

import io.github.rdma4j.testbed.host.HostProcessor;
import io.github.rdma4j.testbed.host.TestbedException;
import io.github.rdma4j.testbed.host.Tool;
import io.github.rdma4j.testbed.image.Architecture;
import io.github.rdma4j.testbed.image.KernelImage;
import io.github.rdma4j.testbed.image.UnpackedPackage;
import io.github.rdma4j.testbed.image.Workshop;
import io.github.rdma4j.testbed.machine.Devices;
import io.github.rdma4j.testbed.machine.GuestMachine;
import io.github.rdma4j.testbed.machine.Hypervisor;
import io.github.rdma4j.testbed.machine.MachineSpec;
import io.github.rdma4j.testbed.machine.NodeLink;
import io.github.rdma4j.testbed.machine.RuntimeDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Guests in QEMU.
 *
 * @param image the guests' kernel
 * @param accelerator the executor of their instructions
 * @param path a PATH with QEMU in it
 */
public record QemuHypervisor(KernelImage image, Accelerator accelerator, String path) implements Hypervisor {
    /** The program for guests with this machine's processor. */
    static final String PROGRAM = "qemu-system-x86_64";

    private static final String PROGRAM_ARM64 = "qemu-system-aarch64";

    /**
     * The words after {@code nokaslr} avoid checks and waits that take long under emulation. An oops is a panic, because a
     * driver under test cannot be trusted after the first oops.
     */
    private static final String KERNEL_ARGUMENTS =
            "quiet panic=-1 oops=panic mitigations=off nokaslr" + " rcupdate.rcu_expedited=1 cryptomgr.notests";

    /** The TSC is not compared with the HPET, because a busy host makes either look wrong. */
    private static final String KERNEL_ARGUMENTS_AMD64 =
            "console=ttyS0 no_timer_check tsc=nowatchdog random.trust_cpu=on " + KERNEL_ARGUMENTS;

    /** The guest finds its programs in another share than its files. */
    private static final String KERNEL_ARGUMENTS_ARM64 = "console=ttyAMA0 rdma4j.programs " + KERNEL_ARGUMENTS;

    private static final String PVRDMA_MAC = "52:54:00:4d:02:01";

    /**
     * Returns a PATH in which there is QEMU for a processor. Fails if QEMU is not installed; call this method before a
     * download. QEMU for arm64 is unpacked into the cache if it is not installed.
     */
    public static String pathWithProgram(Architecture architecture, Workshop shop)
            throws TestbedException, InterruptedException {
        String path = shop.environment().getOrDefault("PATH", "");
        if (Tool.locate(program(architecture), path).isPresent()) {
            return path;
        }
        if (architecture.isOfThisMachine()) {
            throw new TestbedException("there is no QEMU (" + PROGRAM + " is not in the PATH): install"
                    + " Debian's qemu-system-x86, or build the kernel of a guest that needs no QEMU:"
                    + " ./rdma4j testbed setup --on uml");
        }
        try {
            return path + ":"
                    + UnpackedPackage.prepare(UnpackedPackage.Kind.QEMU_ARM, shop)
                            .path();
        } catch (Tool.FailureException e) {
            throw new TestbedException(
                    "QEMU for arm64 does not run here: install Debian's qemu-system-arm; " + e.getMessage(), e);
        }
    }

    @Override
    public GuestMachine start(MachineSpec machine, @Nullable NodeLink link)
            throws TestbedException, InterruptedException {
        try (RuntimeDirectory run = RuntimeDirectory.create()) {
            ProcessBuilder builder = new ProcessBuilder(boot(machine, run.path(), link));
            builder.environment().put("PATH", path);
            return GuestMachine.start(name(), builder, new GuestMachine.Ports(run.path()));
        } catch (IOException e) {
            throw new TestbedException("cannot make the sockets for QEMU: " + RuntimeDirectory.problem(e), e);
        }
    }

    @Override
    public String name() {
        return "QEMU";
    }

    @Override
    public String processor() {
        return accelerator.name();
    }

    /** The name of the program for guests with that processor. */
    static String program(Architecture architecture) {
        return architecture.isOfThisMachine() ? PROGRAM : PROGRAM_ARM64;
    }

    private String kernelArguments() {
        if (!image.architecture().isOfThisMachine()) {
            return KERNEL_ARGUMENTS_ARM64;
        }
        return KERNEL_ARGUMENTS_AMD64 + (accelerator == Accelerator.TCG ? timeStampSpeed() : "");
    }

    /**
     * The speed of the TSC. An emulated processor reads this machine's TSC, and its kernel may misjudge the speed when
     * this machine is busy: once it took a second for 24 seconds.
     */
    private static String timeStampSpeed() {
        return HostProcessor.read()
                .timeStampKilohertz()
                .map(speed -> " tsc_early_khz=" + speed)
                .orElse("");
    }

    /**
     * A guest on this machine; with a link, one of several nodes.
     *
     * @param run the directory of the sockets
     */
    List<String> boot(MachineSpec machine, Path run, @Nullable NodeLink link) {
        List<String> line = start(machine.parallel(), machine.memoryMib(), machine.cpus());
        line.add("-append");
        List<String> words = machine.kernelWords(link);
        words.add(0, kernelArguments());
        line.add(String.join(" ", words));
        share(line, "host", Path.of("/"), true);
        if (image.programs() != null) {
            share(line, "programs", image.programs(), true);
        }
        for (int i = 0; i < machine.shares().size(); i++) {
            share(line, "share" + i, machine.shares().get(i), false);
        }
        if (machine.devices() == Devices.PVRDMA) {
            pvrdma(line, machine, run.resolve("mux"));
        }
        line.addAll(List.of("-device", "virtio-serial-pci"));
        for (int i = 0; i < GuestMachine.Ports.NAMES.size(); i++) {
            String name = GuestMachine.Ports.NAMES.get(i);
            // QEMU connects and does not listen: the QEMU of a dead launcher finds no listener and ends.
            String socket = escaped(run.resolve(name).toString());
            line.addAll(List.of("-chardev", "socket,id=" + name + ",server=off,path=" + socket));
            line.addAll(List.of("-device", "virtserialport,chardev=" + name + ",name=" + name + ",nr=" + (i + 1)));
        }
        if (link != null) {
            for (int port = 0; port < link.ports(); port++) {
                String id = port == 0 ? "ethernet" : "second";
                network(line, id, link.ethernet(), link.ethernetMacs().get(port));
            }
            network(line, "nodes", link.control(), link.controlMac());
        }
        return line;
    }

    /** A guest that reports that it runs, and ends; see {@code init}. */
    static List<String> probe(KernelImage image) {
        List<String> line = new QemuHypervisor(image, Accelerator.KVM, "").start(false, 512, 2);
        line.addAll(List.of("-append", KERNEL_ARGUMENTS_AMD64 + " rdma4j.probe "));
        return line;
    }

    private List<String> start(boolean parallel, int memoryMib, int cpus) {
        // setsid, because the launcher handles Ctrl-C on a terminal; the death signal, because no QEMU may outlive a
        // killed launcher.
        List<String> line = new ArrayList<>(List.of("setsid", "setpriv", "--pdeathsig", "KILL"));
        line.add(program(image.architecture()));
        // Not microvm, although it boots faster: without HPET and PM timer the kernel finds no clock when a busy host
        // disturbs the calibration of the TSC.
        String board = image.architecture().isOfThisMachine() ? "pc,usb=off" : "virt";
        line.addAll(List.of(
                "-M", board, "-accel", accelerator.option(parallel), "-cpu", accelerator.cpu(image.architecture())));
        line.addAll(List.of("-smp", String.valueOf(cpus), "-m", String.valueOf(memoryMib)));
        line.addAll(List.of("-nodefaults", "-no-user-config", "-no-reboot", "-display", "none"));
        line.addAll(List.of("-chardev", "stdio,id=console,signal=off", "-serial", "chardev:console"));
        line.addAll(List.of(
                "-kernel",
                image.kernel().toString(),
                "-initrd",
                image.initramfs().toString()));
        return line;
    }

    private static void share(List<String> line, String tag, Path path, boolean readOnly) {
        line.add("-fsdev");
        line.add("local,id=" + tag + ",path=" + escaped(path.toString()) + ",security_model=none,multidevs=remap"
                + (readOnly ? ",readonly=on" : ""));
        line.addAll(List.of("-device", "virtio-9p-pci,fsdev=" + tag + ",mount_tag=" + tag));
    }

    // No boot ROM: the guest does not boot from it, and some packages of QEMU lack it.
    private static void network(List<String> line, String id, Path socket, String mac) {
        String path = escaped(socket.toString());
        line.addAll(List.of("-netdev", "stream,id=" + id + ",server=off,addr.type=unix,addr.path=" + path));
        line.addAll(List.of("-device", "virtio-net-pci,netdev=" + id + ",mac=" + mac + ",romfile="));
    }

    /**
     * QEMU's RDMA device is function 1 beside a network device without a peer, and accesses the guest's memory, which
     * must be shared. Its socket comes before the sockets of the ports, so it is connected first.
     */
    private static void pvrdma(List<String> line, MachineSpec machine, Path multiplexer) {
        Path backend = Objects.requireNonNull(machine.files().backend(), "no backend");
        line.addAll(
                line.indexOf(PROGRAM),
                List.of("env", "LD_PRELOAD=" + backend, PvrdmaBackend.MULTIPLEXER + "=" + multiplexer));
        line.addAll(List.of("-object", "memory-backend-ram,id=ram,size=" + machine.memoryMib() + "M,share=on"));
        line.addAll(List.of("-machine", "memory-backend=ram"));
        line.addAll(List.of("-chardev", "socket,id=mux,server=off,path=" + escaped(multiplexer.toString())));
        line.addAll(List.of("-netdev", "hubport,id=ethernet,hubid=0"));
        line.addAll(List.of(
                "-device", "vmxnet3,netdev=ethernet,mac=" + PVRDMA_MAC + ",addr=10.0,multifunction=on,romfile="));
        line.addAll(List.of("-device", "pvrdma,addr=10.1,netdev=eth0,mad-chardev=mux,ibdev=" + PvrdmaBackend.DEVICE));
    }

    /** A value in a list of options. */
    private static String escaped(String value) {
        return value.replace(",", ",,");
    }

    /** The executor of the guest's instructions. */
    public enum Accelerator {
        KVM("kvm", "kvm", "host"),

        /**
         * Emulated processors take turns. If each processor has a thread, QEMU may translate an instruction while another
         * processor replaces it, and run the mixture: HotSpot replaces the entry of every recompiled method, and its
         * threads crash there.
         *
         * <p>The kernel trusts that the TSCs of several Intel processors run in step; QEMU's TSCs always do. Without the
         * TSC, reading the clock is a system call and an access to the HPET, which takes 5 µs and not 1 µs.
         */
        TCG("tcg,thread=single", "tcg,thread=multi", "max,vendor=GenuineIntel");

        private final String option;
        private final String parallelOption;
        private final String cpu;

        Accelerator(String option, String parallelOption, String cpu) {
            this.option = option;
            this.parallelOption = parallelOption;
            this.cpu = cpu;
        }

        /** QEMU's {@code -accel}. */
        String option(boolean parallel) {
            return parallel ? parallelOption : option;
        }

        /**
         * QEMU's {@code -cpu}. An arm64 processor that authenticates pointers computes that in software, for every call of the kernel,
         * so the guest gets one that does not, or a cheap way; the former has pages of 4 KiB only.
         */
        String cpu(Architecture architecture) {
            return switch (architecture) {
                case AMD64 -> cpu;
                case ARM64 -> "neoverse-n1";
                case ARM64_16K -> "max,pauth-impdef=on";
            };
        }
    }
}
