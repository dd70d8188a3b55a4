// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.doctor;

import io.github.rdma4j.kernel.Errno;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Checks of the kernel, its memory limit and the processor. */
final class MachineChecks {
    private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+).*", Pattern.DOTALL);
    private static final int OLDEST_MAJOR = 5;
    private static final int OLDEST_MINOR = 8;

    private static final String MEMLOCK = "memlock limit";
    private static final String UNLIMITED = "unlimited";
    private static final Pattern LIMIT = Pattern.compile("(?m)^Max locked memory\\s+(\\S+)\\s+(\\S+)");
    private static final Pattern CAPABILITIES = Pattern.compile("(?m)^CapEff:\\s+(\\p{XDigit}{1,16})$");
    private static final Pattern INITIAL_USER_NAMESPACE = Pattern.compile("\\s*0\\s+0\\s+4294967295\\s*");
    private static final int CAP_IPC_LOCK = 14;
    private static final int HEX = 16;

    private static final String NODE = "dev/kvm";
    private static final String KVM = "/" + NODE;

    private MachineChecks() {}

    static List<Finding> kernel(Survey survey) {
        String release = survey.machine().release();
        Matcher version = VERSION.matcher(release);
        String text = "Linux " + release + (survey.machine().isContainer() ? ", in a container" : "");
        if (version.matches() && isOld(Integer.parseInt(version.group(1)), Integer.parseInt(version.group(2)))) {
            return List.of(Finding.warn(
                    "kernel",
                    text + " is older than 5.8, the oldest that rdma4j expects to work with",
                    "boot a newer kernel, or use one in a guest: " + Machine.TESTBED));
        }
        return List.of(Finding.ok("kernel", text));
    }

    private static boolean isOld(int major, int minor) {
        return major < OLDEST_MAJOR || (major == OLDEST_MAJOR && minor < OLDEST_MINOR);
    }

    /** The memory that this process may register: without CAP_IPC_LOCK, pinned pages count against RLIMIT_MEMLOCK. */
    static List<Finding> memlock(Survey survey) {
        Machine machine = survey.machine();
        Matcher limit = LIMIT.matcher(machine.read("proc/self/limits").orElse(""));
        if (!limit.find()) {
            return List.of(Finding.warn(MEMLOCK, "/proc/self/limits does not show it", "mount -t proc proc /proc"));
        }
        String soft = limit.group(1);
        String text = "soft " + bytes(soft) + ", hard " + bytes(limit.group(2));
        if (soft.equals(UNLIMITED)) {
            return List.of(Finding.ok(MEMLOCK, text));
        }
        if (mayExceed(machine)) {
            return List.of(Finding.ok(MEMLOCK, text + "; CAP_IPC_LOCK lifts it"));
        }
        return List.of(Finding.warn(
                MEMLOCK,
                text + "; more than that cannot be registered (ENOMEM)",
                memlockRemedy(machine, limit.group(2).equals(UNLIMITED))));
    }

    /** True with CAP_IPC_LOCK, which counts in the initial user namespace only. */
    private static boolean mayExceed(Machine machine) {
        Matcher capabilities =
                CAPABILITIES.matcher(machine.read("proc/self/status").orElse(""));
        Optional<String> users = machine.read("proc/self/uid_map");
        boolean initial =
                users.isEmpty() || INITIAL_USER_NAMESPACE.matcher(users.get()).matches();
        return initial
                && capabilities.find()
                && (Long.parseUnsignedLong(capabilities.group(1), HEX) >>> CAP_IPC_LOCK & 1) != 0;
    }

    private static String memlockRemedy(Machine machine, boolean mayBeRaised) {
        if (machine.isContainer()) {
            return "start the container with --ulimit memlock=-1";
        }
        return mayBeRaised
                ? "ulimit -l unlimited"
                : "as root: prlimit --memlock=unlimited --pid $$ (for a systemd service: LimitMEMLOCK=infinity)";
    }

    private static String bytes(String limit) {
        return limit.equals(UNLIMITED) ? limit : limit + " bytes";
    }

    /** Checks whether guests of the testbed can use hardware virtualization. */
    static List<Finding> kvm(Survey survey) {
        Machine machine = survey.machine();
        if (machine.guest()) {
            return List.of();
        }
        if (machine.uml()) {
            return List.of(Finding.ok(KVM, "not needed: guests of the testbed run in User Mode Linux"));
        }
        Path node = machine.root().resolve(NODE);
        if (!Files.exists(node)) {
            return List.of(slow("not there", kvmRemedy(machine, false)));
        }
        // mode bits show neither the device rules of a container nor a processor without virtualization
        long opened = machine.open(node);
        if (opened < 0) {
            return List.of(slow("not usable, " + Errno.ofResult(opened), kvmRemedy(machine, true)));
        }
        return List.of(Finding.ok(KVM, "opens; ./rdma4j testbed setup tries whether guests run on it"));
    }

    private static Finding slow(String text, String remedy) {
        return Finding.warn(
                KVM,
                text + ": guests of the testbed are emulated, and about 10 times slower",
                remedy + ", or use guests that need no KVM: ./rdma4j testbed setup --on uml");
    }

    private static String kvmRemedy(Machine machine, boolean there) {
        if (machine.isContainer()) {
            return "start the container with --device=" + KVM;
        }
        return there
                ? "chmod a+rw " + KVM + ", or join the group kvm"
                : "modprobe kvm_intel or kvm_amd; in a virtual machine allow nested virtualization";
    }
}
