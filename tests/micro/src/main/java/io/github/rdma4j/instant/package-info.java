// SPDX-License-Identifier: Apache-2.0
/** A kernel that answers at once, so that what is measured or stressed is the library alone. */
@NullMarked
package io.github.rdma4j.instant;

import org.jspecify.annotations.NullMarked;
