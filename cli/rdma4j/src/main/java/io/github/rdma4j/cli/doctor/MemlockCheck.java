// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.doctor;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How much memory this process may register: pinned pages count against RLIMIT_MEMLOCK unless it has CAP_IPC_LOCK. */
final class MemlockCheck implements Check {
    private static final String SUBJECT = "memlock limit";
    private static final String UNLIMITED = "unlimited";
    private static final Pattern LIMIT = Pattern.compile("(?m)^Max locked memory\\s+(\\S+)\\s+(\\S+)");
    private static final Pattern CAPABILITIES = Pattern.compile("(?m)^CapEff:\\s+(\\p{XDigit}{1,16})$");
    private static final Pattern INITIAL_USER_NAMESPACE = Pattern.compile("\\s*0\\s+0\\s+4294967295\\s*");
    private static final int CAP_IPC_LOCK = 14;
    private static final int HEX = 16;

    @Override
    public List<Finding> examine(Survey survey) {
        Machine machine = survey.machine();
        Matcher limit = LIMIT.matcher(machine.read("proc/self/limits").orElse(""));
        if (!limit.find()) {
            return List.of(Finding.warn(SUBJECT, "/proc/self/limits does not tell it", "mount -t proc proc /proc"));
        }
        String soft = limit.group(1);
        String text = "soft " + bytes(soft) + ", hard " + bytes(limit.group(2));
        if (soft.equals(UNLIMITED)) {
            return List.of(Finding.ok(SUBJECT, text));
        }
        if (mayExceed(machine)) {
            return List.of(Finding.ok(SUBJECT, text + "; CAP_IPC_LOCK lifts it"));
        }
        return List.of(Finding.warn(
                SUBJECT,
                text + "; more than that cannot be registered (ENOMEM)",
                remedy(machine, limit.group(2).equals(UNLIMITED))));
    }

    /** The capability counts in the initial user namespace only. */
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

    private static String remedy(Machine machine, boolean mayBeRaised) {
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
}
