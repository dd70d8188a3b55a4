// SPDX-License-Identifier: Apache-2.0
/** The processes under test, seen from outside. */
@NullMarked
package io.github.rdma4j.soak.survivor;

import org.jspecify.annotations.NullMarked;
