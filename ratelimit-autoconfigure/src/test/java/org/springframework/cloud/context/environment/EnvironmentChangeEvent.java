package org.springframework.cloud.context.environment;

import java.util.Set;

import org.springframework.context.ApplicationEvent;

/**
 * Stands for the event of Spring Cloud, which the library knows only by its name.
 */
public final class EnvironmentChangeEvent extends ApplicationEvent {

	private static final long serialVersionUID = 1;

	public EnvironmentChangeEvent(Set<String> keys) {
		super(keys);
	}

}
