// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.doctor;

import java.util.List;

/**
 * A result of a check.
 *
 * @param subject the subject of the check, in one or two words
 * @param remedy the command that solves the problem; empty if there is no problem
 */
record Finding(Severity severity, String subject, String text, String remedy) {
    enum Severity {
        /** No problem. */
        OK,
        /** A problem that slows RDMA down or prevents some uses. */
        WARN,
        /** A problem that prevents the use of RDMA. */
        FAIL
    }

    /**
     * Combines the findings on several ports or devices of which one suffices: if at least one has no failure, the
     * failures of the others become warnings.
     */
    static List<Finding> oneIsEnough(List<List<Finding>> alternatives) {
        boolean enough = alternatives.stream()
                .anyMatch(findings -> findings.stream().noneMatch(finding -> finding.severity == Severity.FAIL));
        return alternatives.stream()
                .flatMap(List::stream)
                .map(finding -> enough && finding.severity == Severity.FAIL
                        ? warn(finding.subject, finding.text, finding.remedy)
                        : finding)
                .toList();
    }

    static Finding ok(String subject, String text) {
        return new Finding(Severity.OK, subject, text, "");
    }

    static Finding warn(String subject, String text, String remedy) {
        return new Finding(Severity.WARN, subject, text, remedy);
    }

    static Finding fail(String subject, String text, String remedy) {
        return new Finding(Severity.FAIL, subject, text, remedy);
    }
}
