// SPDX-License-Identifier: Apache-2.0
/** The provider in Java beside libmlx5. */
@NullMarked
package io.github.rdma4j.providers.script;

import org.jspecify.annotations.NullMarked;
