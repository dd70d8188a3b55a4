// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.doctor;

import io.github.rdma4j.kernel.RdmaException;
import java.util.List;

/** A check of the doctor. */
interface Check {
    /** The findings: at least one, unless another check reports the problem. */
    List<Finding> examine(Survey survey) throws RdmaException;
}
