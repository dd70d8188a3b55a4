// SPDX-License-Identifier: Apache-2.0
/** The processes under test, as the run starts, observes and kills them. */
@NullMarked
package io.github.rdma4j.lab.soak.survivor;

import org.jspecify.annotations.NullMarked;
