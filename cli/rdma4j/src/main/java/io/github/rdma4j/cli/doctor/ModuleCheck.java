// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.doctor;

import java.util.ArrayList;
import java.util.List;

/**
 * The modules behind the interfaces. A module counts as loaded when sysfs or the list of modules shows it; the list has no
 * line for a module that is built in.
 */
final class ModuleCheck implements Check {
    private record Needed(String module, String trace) {}

    private static final List<Needed> NEEDED = List.of(
            new Needed("ib_core", "class/infiniband"),
            new Needed("ib_uverbs", "class/infiniband_verbs"),
            new Needed("rdma_cm", "class/misc/rdma_cm"),
            new Needed("rdma_ucm", "class/misc/rdma_cm"));

    @Override
    public List<Finding> examine(Survey survey) {
        Modules modules = survey.modules();
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
}
