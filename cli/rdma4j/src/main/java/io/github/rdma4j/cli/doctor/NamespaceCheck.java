// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.doctor;

import io.github.rdma4j.internal.discovery.RdmaSystem;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import java.util.List;

/** Whether network namespaces share the RDMA devices, and what fork(2) does to registered memory. */
final class NamespaceCheck implements Check {
    private static final String SUBJECT = "RDMA namespaces";

    @Override
    public List<Finding> examine(Survey survey) throws RdmaException {
        if (!survey.modules().isLoaded("ib_core") && !survey.machine().hasSysfs("class/infiniband")) {
            return List.of();
        }
        RdmaSystem system;
        try {
            system = RdmaSystem.query(survey.machine().kernel());
        } catch (ErrnoException e) {
            return List.of(Finding.warn(
                    SUBJECT,
                    "RDMA netlink does not tell: " + e.getMessage(),
                    "in a container allow sockets of AF_NETLINK in its seccomp profile"));
        }
        String text = (system.sharedNamespaces()
                        ? "shared: every namespace sees every device"
                        : "exclusive: a device is" + " seen in its own namespace only")
                + (system.copyOnFork() ? "; fork is safe" : "; fork is not safe for registered memory (Linux < 5.12)");
        if (!system.sharedNamespaces() && survey.devices().isEmpty()) {
            return List.of(Finding.warn(
                    SUBJECT,
                    text + ", and there is none in this one",
                    survey.modules().onHost("rdma dev set DEVICE netns NAME, or rdma system set netns shared")));
        }
        return List.of(Finding.ok(SUBJECT, text));
    }
}
