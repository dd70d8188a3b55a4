// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.doctor;

import io.github.rdma4j.kernel.RdmaException;
import java.util.List;

/** One thing that the doctor looks at. */
interface Check {
    /** What was found, at least one finding unless another check reports on it. */
    List<Finding> examine(Survey survey) throws RdmaException;
}
