// SPDX-License-Identifier: Apache-2.0
/** The faults that a run injects: one class for each kind of fault. */
@NullMarked
package io.github.rdma4j.lab.soak.fault;

import org.jspecify.annotations.NullMarked;
