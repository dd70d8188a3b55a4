// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.doctor;

import io.github.rdma4j.internal.discovery.RdmaSystem;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import java.util.ArrayList;
import java.util.List;

/** Checks of the kernel modules and their settings. */
final class ModuleChecks {
    private record Needed(String module, String trace) {}

    private static final List<Needed> NEEDED = List.of(
            new Needed("ib_core", "class/infiniband"),
            new Needed("ib_uverbs", "class/infiniband_verbs"),
            new Needed("rdma_cm", "class/misc/rdma_cm"),
            new Needed("rdma_ucm", "class/misc/rdma_cm"));

    private static final String NAMESPACES = "RDMA namespaces";

    private ModuleChecks() {}

    /**
     * The modules behind the interfaces. A module counts as loaded if sysfs or the list of modules shows it; built-in
     * modules are not in the list.
     */
    static List<Finding> modules(Survey survey) {
        Machine modules = survey.machine();
        List<String> loaded = new ArrayList<>();
        List<String> missing = new ArrayList<>();
        for (Needed needed : NEEDED) {
            boolean there =
                    modules.isLoaded(needed.module()) || survey.machine().hasSysfs(needed.trace());
            (there ? loaded : missing).add(needed.module());
        }
        List<Finding> findings = new ArrayList<>();
        if (!loaded.isEmpty()) {
            findings.add(Finding.ok("modules", String.join(", ", loaded)));
        }
        if (!missing.isEmpty()) {
            findings.add(Finding.fail("modules", "not loaded: " + String.join(", ", missing), modules.remedy(missing)));
        }
        return findings;
    }

    /** The sharing of RDMA devices between network namespaces, and the effect of fork(2) on registered memory. */
    static List<Finding> namespaces(Survey survey) throws RdmaException {
        if (!survey.machine().isLoaded("ib_core") && !survey.machine().hasSysfs("class/infiniband")) {
            return List.of();
        }
        RdmaSystem system;
        try {
            system = RdmaSystem.query(survey.machine().kernel());
        } catch (ErrnoException e) {
            return List.of(Finding.warn(
                    NAMESPACES,
                    "RDMA netlink does not report it: " + e.getMessage(),
                    "in a container allow sockets of AF_NETLINK in its seccomp profile"));
        }
        String text = (system.sharedNamespaces()
                        ? "shared: every namespace sees every device"
                        : "exclusive: a device is" + " seen in its own namespace only")
                + (system.copyOnFork() ? "; fork is safe" : "; fork is not safe for registered memory (Linux < 5.12)");
        if (!system.sharedNamespaces() && survey.devices().isEmpty()) {
            return List.of(Finding.warn(
                    NAMESPACES,
                    text + ", and there is none in this one",
                    survey.machine().onHost("rdma dev set DEVICE netns NAME, or rdma system set netns shared")));
        }
        return List.of(Finding.ok(NAMESPACES, text));
    }
}
